from oscar.apps.shipping.models import *  # noqa: F401,F403
