import datetime
import random
from decimal import Decimal
from pathlib import Path

from django.contrib.auth.models import User
from django.contrib.sites.models import Site
from django.core.files.images import ImageFile
from django.core.management.base import BaseCommand
from django.utils import timezone
from oscar.apps.catalogue.categories import create_from_breadcrumbs
from oscar.apps.offer.models import Benefit, Condition, ConditionalOffer, Range
from oscar.apps.voucher.models import Voucher
from oscar.core.loading import get_model
from oscar.test.factories import create_order

PRODUCTS = [
    ("vase-tall", "Terracotta vase, tall", "Ceramics > Vases", "64.00", 7, "Thrown in one piece and left unglazed outside. Watertight; each one differs by a finger's width."),
    ("vase-ink", "Ink-blue vase", "Ceramics > Vases", "72.00", 4, "A deep cobalt glaze over dark stoneware, with two scored lines at the shoulder."),
    ("bowl-fern", "Fern salad bowl", "Ceramics > Bowls", "48.00", 12, "Wide enough for six people and light enough for one hand."),
    ("bowl-sand", "Sand serving bowl", "Ceramics > Bowls", "44.00", 0, "A warm matt glaze with a single pale ring. Oven-safe up to 220 degrees."),
    ("mug-cloud", "Cloud mug", "Ceramics > Mugs", "22.00", 40, "Holds 300 ml. The lower third is raw clay, so that it does not slip."),
    ("mug-ochre", "Ochre mug", "Ceramics > Mugs", "22.00", 36, "Holds 300 ml, and keeps tea warm for as long as a chapter lasts."),
    ("teapot-moss", "Moss teapot", "Ceramics > Teapots", "86.00", 5, "A litre of tea for four. The spout was tried on nine potters before it was allowed to pour."),
    ("plates-dawn", "Dawn plates, set of four", "Ceramics > Plates", "78.00", 9, "Four plates in two shades of pink clay, stackable without a scratch."),
    ("planter-clay", "Clay planter", "Garden", "34.00", 18, "With a saucer. The rim is thick enough to carry by."),
    ("planter-chalk", "Chalk planter", "Garden", "36.00", 15, "A white slip over red clay that wears to a soft edge."),
    ("lamp-linen", "Linen table lamp", "Lighting", "129.00", 6, "Oak base, linen shade, a dimmer on the cord."),
    ("lamp-rust", "Rust table lamp", "Lighting", "129.00", 3, "The same lamp in a rust-red cotton shade."),
    ("cushion-stripe", "Striped cushion", "Textiles", "39.00", 22, "Woven from recycled wool in a small mill. The cover is washable."),
    ("cushion-rose", "Rose cushion", "Textiles", "39.00", 20, "Plant-dyed linen with a feather filling."),
    ("blanket-wool", "Undyed wool blanket", "Textiles", "118.00", 8, "The colours are those of the sheep."),
    ("blanket-tide", "Tide blanket", "Textiles", "124.00", 7, "Two blues in a broad stripe, 130 by 180 centimetres."),
    ("candle-cedar", "Cedar candle", "Small things", "18.00", 60, "Rapeseed wax; burns for forty hours."),
    ("clock-oak", "Oak wall clock", "Small things", "92.00", 5, "A silent movement in a turned oak frame."),
    ("stool-ash", "Ash stool", "Furniture", "148.00", 4, "Solid ash, oiled. Also a bedside table."),
]

REVIEWS = [
    ("vase-ink", 5, "Even better in evening light", "The blue goes almost black after sunset. It arrived wrapped in newspaper and straw."),
    ("vase-ink", 4, "Heavier than I thought", "That is a good thing: it does not tip over with tall branches."),
    ("teapot-moss", 5, "It does not drip", "Nine potters were right."),
]

CUSTOMERS = ["Noor", "Elias", "Mira", "Tom", "Yuki", "Ada", "Jonas", "Lena", "Ravi", "Ines"]


class Command(BaseCommand):
    help = "Fills an empty shop with products, reviews, an offer, customers and a week of orders."

    def add_arguments(self, parser):
        parser.add_argument("pictures")

    def handle(self, *args, **options):
        random.seed(7)
        Site.objects.update(domain="shop.example.com", name="Fern & Kiln")
        for code, name in [("NL", "Netherlands"), ("DE", "Germany"), ("FR", "France"), ("DK", "Denmark")]:
            get_model("address", "Country").objects.create(
                iso_3166_1_a2=code, name=name, printable_name=name, is_shipping_country=True
            )
        User.objects.create_superuser("studio", "studio@example.com", "slow-glaze", first_name="Ada")
        products = self.make_products(Path(options["pictures"]))
        self.make_reviews(products)
        self.make_offers()
        self.make_orders(products)

    def make_products(self, pictures):
        kind = get_model("catalogue", "ProductClass").objects.create(name="Homeware")
        partner = get_model("partner", "Partner").objects.create(name="Fern & Kiln studio")
        products = {}
        for sku, title, category, price, stock, description in reversed(PRODUCTS):
            product = get_model("catalogue", "Product").objects.create(
                product_class=kind, upc=sku.upper(), title=title, description=f"<p>{description}</p>"
            )
            product.categories.add(create_from_breadcrumbs(category))
            with (pictures / f"{sku}.png").open("rb") as file:
                product.images.create(original=ImageFile(file, name=f"{sku}.png"), caption=title)
            product.stockrecords.create(
                partner=partner,
                partner_sku=sku.upper(),
                price=Decimal(price),
                price_currency="EUR",
                num_in_stock=stock,
                low_stock_threshold=5,
            )
            products[sku] = product
        return products

    def make_reviews(self, products):
        for sku, score, title, body in REVIEWS:
            name = random.choice(CUSTOMERS)
            products[sku].reviews.create(
                title=title, body=body, score=score, name=name, email=f"{name.lower()}@example.org", status=1
            )
            products[sku].update_rating()

    def make_offers(self):
        everything = Range.objects.create(name="Everything in the shop", includes_all_products=True, is_public=True)
        condition = Condition.objects.create(range=everything, type=Condition.VALUE, value=Decimal("50"))
        benefit = Benefit.objects.create(range=everything, type=Benefit.PERCENTAGE, value=Decimal("10"))
        offer = ConditionalOffer.objects.create(
            name="A tenth off your first order over 50 euro",
            offer_type=ConditionalOffer.VOUCHER,
            condition=condition,
            benefit=benefit,
        )
        now = timezone.now()
        voucher = Voucher.objects.create(
            name="Welcome",
            code="WELCOME10",
            usage=Voucher.MULTI_USE,
            start_datetime=now - datetime.timedelta(days=30),
            end_datetime=now + datetime.timedelta(days=300),
        )
        voucher.offers.add(offer)

    def make_orders(self, products):
        Basket = get_model("basket", "Basket")
        Selector = __import__("oscar.apps.partner.strategy", fromlist=["Selector"]).Selector
        now = timezone.now()
        country = get_model("address", "Country").objects.get(pk="NL")
        users = [
            User.objects.create_user(name.lower(), f"{name.lower()}@example.org", "slow-glaze", first_name=name)
            for name in CUSTOMERS
        ]
        stocked = [sku for sku, *_, stock, _ in PRODUCTS if stock > 3]
        for number in range(46):
            user = random.choice(users)
            basket = Basket.objects.create(owner=user)
            basket.strategy = Selector().strategy()
            for sku in random.sample(stocked, random.choice([1, 1, 2, 3])):
                record = products[sku].stockrecords.get()
                record.num_in_stock = (record.num_in_stock or 0) + 2
                record.save()
                basket.add_product(products[sku], random.choice([1, 1, 2]))
            address = get_model("order", "ShippingAddress").objects.create(
                first_name=user.first_name,
                last_name="B.",
                line1=f"{random.randint(2, 90)} Canal Street",
                line4="Haarlem",
                postcode="2011 AB",
                country=country,
            )
            order = create_order(
                number=str(100000 + basket.pk), basket=basket, user=user, shipping_address=address
            )
            placed = now - datetime.timedelta(minutes=random.randint(20, 60 * 21 if number > 20 else 60 * 24 * 20))
            order.date_placed = placed
            order.status = random.choice(["Paid", "Paid", "Packed", "Sent"])
            order.save()
