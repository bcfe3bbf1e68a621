from django.db import models
from wagtail import blocks
from wagtail.admin.panels import FieldPanel, FieldRowPanel, MultiFieldPanel
from wagtail.fields import RichTextField, StreamField
from wagtail.images.blocks import ImageChooserBlock
from wagtail.models import Page
from wagtail.search import index
from wagtail.snippets.models import register_snippet

IMAGE = {"null": True, "blank": True, "on_delete": models.SET_NULL, "related_name": "+"}


class QuoteBlock(blocks.StructBlock):
    text = blocks.TextBlock()
    speaker = blocks.CharBlock(required=False)

    class Meta:
        icon = "openquote"


class FactBlock(blocks.StructBlock):
    figure = blocks.CharBlock()
    meaning = blocks.CharBlock()

    class Meta:
        icon = "pick"
        label = "Key figure"


def body_field():
    return StreamField(
        [
            ("heading", blocks.CharBlock(icon="title", group="Text")),
            ("paragraph", blocks.RichTextBlock(icon="pilcrow", group="Text")),
            ("quote", QuoteBlock(group="Text")),
            ("image", ImageChooserBlock(group="Media")),
            ("key_figure", FactBlock(group="Media")),
        ],
        blank=True,
    )


class HomePage(Page):
    introduction = RichTextField(blank=True)
    content_panels = Page.content_panels + [FieldPanel("introduction")]
    template = "stories/page.html"


class IndexPage(Page):
    introduction = RichTextField(blank=True)
    content_panels = Page.content_panels + [FieldPanel("introduction")]
    template = "stories/page.html"


class StoryPage(Page):
    summary = models.TextField(help_text="Two sentences for lists and search engines.")
    published_on = models.DateField("publication date")
    author = models.ForeignKey("Person", null=True, blank=True, on_delete=models.SET_NULL)
    cover = models.ForeignKey("wagtailimages.Image", **IMAGE)
    body = body_field()

    content_panels = Page.content_panels + [
        FieldPanel("summary"),
        MultiFieldPanel(
            [FieldRowPanel([FieldPanel("published_on"), FieldPanel("author")]), FieldPanel("cover")],
            heading="Publication",
        ),
        FieldPanel("body"),
    ]
    search_fields = Page.search_fields + [index.SearchField("summary"), index.SearchField("body")]
    parent_page_types = ["stories.IndexPage"]
    template = "stories/page.html"

    class Meta:
        verbose_name = "story"


class ExhibitionPage(Page):
    opens_on = models.DateField()
    closes_on = models.DateField()
    room = models.CharField(max_length=80)
    summary = models.TextField()
    cover = models.ForeignKey("wagtailimages.Image", **IMAGE)
    body = body_field()

    content_panels = Page.content_panels + [
        FieldRowPanel([FieldPanel("opens_on"), FieldPanel("closes_on"), FieldPanel("room")]),
        FieldPanel("summary"),
        FieldPanel("cover"),
        FieldPanel("body"),
    ]
    search_fields = Page.search_fields + [index.SearchField("summary")]
    parent_page_types = ["stories.IndexPage"]
    template = "stories/page.html"

    class Meta:
        verbose_name = "exhibition"


class EventPage(Page):
    starts_at = models.DateTimeField()
    places = models.PositiveIntegerField(default=30)
    summary = models.TextField()

    content_panels = Page.content_panels + [
        FieldRowPanel([FieldPanel("starts_at"), FieldPanel("places")]),
        FieldPanel("summary"),
    ]
    parent_page_types = ["stories.IndexPage"]
    template = "stories/page.html"

    class Meta:
        verbose_name = "event"


@register_snippet
class Person(models.Model):
    name = models.CharField(max_length=60)
    role = models.CharField(max_length=80)

    panels = [FieldPanel("name"), FieldPanel("role")]

    class Meta:
        verbose_name_plural = "people"

    def __str__(self):
        return self.name
