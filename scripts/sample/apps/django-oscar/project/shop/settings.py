from pathlib import Path

from oscar import INSTALLED_APPS as OSCAR_APPS
from oscar.defaults import *  # noqa: F403

BASE_DIR = Path(__file__).resolve().parent.parent

SECRET_KEY = "only-for-a-demo-on-loopback"
DEBUG = False
ALLOWED_HOSTS = ["127.0.0.1"]
ROOT_URLCONF = "shop.urls"
USE_TZ = True
TIME_ZONE = "UTC"
LANGUAGE_CODE = "en-gb"
LANGUAGES = [("en-gb", "English")]
DEFAULT_AUTO_FIELD = "django.db.models.AutoField"
SITE_ID = 1

FORKED = {
    "oscar.apps.shipping.apps.ShippingConfig": "shop.shipping.apps.ShippingConfig",
    "oscar.apps.checkout.apps.CheckoutConfig": "shop.checkout.apps.CheckoutConfig",
}
INSTALLED_APPS = ["shop", *[FORKED.get(app, app) for app in OSCAR_APPS], "sorl.thumbnail"]

MIDDLEWARE = [
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "oscar.apps.basket.middleware.BasketMiddleware",
]

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "shop" / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.debug",
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "django.template.context_processors.i18n",
                "django.template.context_processors.media",
                "django.template.context_processors.static",
                "oscar.apps.search.context_processors.search_form",
                "oscar.apps.checkout.context_processors.checkout",
                "oscar.apps.communication.notifications.context_processors.notifications",
                "oscar.core.context_processors.metadata",
            ]
        },
    }
]

DATABASES = {
    "default": {
        "ENGINE": "django.db.backends.sqlite3",
        "NAME": BASE_DIR / "db.sqlite3",
        "ATOMIC_REQUESTS": True,
        "OPTIONS": {"timeout": 30},
    }
}
AUTHENTICATION_BACKENDS = [
    "oscar.apps.customer.auth_backends.EmailBackend",
    "django.contrib.auth.backends.ModelBackend",
]
EMAIL_BACKEND = "django.core.mail.backends.dummy.EmailBackend"
HAYSTACK_CONNECTIONS = {
    "default": {"ENGINE": "haystack.backends.whoosh_backend.WhooshEngine", "PATH": str(BASE_DIR / "index")}
}

STATIC_URL = "/static/"
MEDIA_URL = "/media/"
MEDIA_ROOT = BASE_DIR / "media"

OSCAR_SHOP_NAME = "Fern & Kiln"
OSCAR_SHOP_TAGLINE = "Things for a quiet home"
OSCAR_DEFAULT_CURRENCY = "EUR"
OSCAR_ALLOW_ANON_CHECKOUT = True
OSCAR_REQUIRED_ADDRESS_FIELDS = ("first_name", "last_name", "line1", "line4", "postcode", "country")
OSCAR_INITIAL_ORDER_STATUS = "Paid"
OSCAR_INITIAL_LINE_STATUS = "Paid"
OSCAR_ORDER_STATUS_PIPELINE = {"Paid": ("Packed", "Cancelled"), "Packed": ("Sent",), "Sent": (), "Cancelled": ()}
# The stems that Whoosh keeps are no names to filter by.
OSCAR_SEARCH_FACETS = {"fields": {}, "queries": {}}
