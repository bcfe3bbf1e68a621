from oscar.apps.checkout import views
from oscar.apps.payment.forms import BankcardForm
from oscar.core.loading import get_model


class PaymentDetailsView(views.PaymentDetailsView):
    """Oscar leaves payment to the shop; this one shows Oscar's own card form and takes no money."""

    def get_context_data(self, **kwargs):
        context = super().get_context_data(**kwargs)
        if not self.preview:
            form = BankcardForm()
            del form.fields["start_month"]
            context["bankcard_form"] = form
        return context

    def handle_payment(self, order_number, total, **kwargs):
        kind, _ = get_model("payment", "SourceType").objects.get_or_create(name="Card ending in 4242")
        source = get_model("payment", "Source")(
            source_type=kind, currency=total.currency, amount_allocated=total.incl_tax
        )
        self.add_payment_source(source)
