import datetime
from pathlib import Path

from django.contrib.auth.models import Group, User
from django.core.files.images import ImageFile
from django.core.management.base import BaseCommand
from django.utils import timezone
from wagtail.images.models import Image
from wagtail.models import Page, PageLogEntry, Revision, Site, TaskState, Workflow

from stories.models import EventPage, ExhibitionPage, HomePage, IndexPage, Person, StoryPage

STORIES = [
    (
        "The night the lighthouse went dark",
        "In February 1911 a broken lens left the cape without light for nine hours. Four fishing boats found their way home by ear.",
        "Lighthouse at dusk",
        "Mira",
    ),
    (
        "How to read a tide table",
        "Every harbour keeps its own clock. A short guide to the columns, and to the mistakes that strand a boat.",
        "Chart of the inner sound",
        "Jonas",
    ),
    (
        "A wooden boat, plank by plank",
        "Three winters, two shipwrights and one retired teacher rebuilt the ferry Alma in the museum's yard.",
        "Sailing boat at sunrise",
        "Ines",
    ),
    (
        "What whalers wrote home about",
        "Ninety letters came to the archive in a biscuit tin. They speak of weather, debts and bread.",
        "Whale in the sound",
        "Mira",
    ),
    (
        "Colour on the quay",
        "Why the houses facing the water were painted by trade, and what became of the yellow ones.",
        "Houses on the quay",
        "Sam",
    ),
    (
        "Knots that hold, knots that let go",
        "Our rigging workshop teaches six knots in an afternoon. Here is the first one.",
        "Rope and anchor",
        "Jonas",
    ),
]

EXHIBITIONS = [
    ("Salt and Silver: herring towns 1850–1930", "Great Hall", "Houses on the quay", (3, 12), (10, 31)),
    ("Maps of the Unseen Sea", "Chart Room", "Chart of the inner sound", (5, 2), (9, 14)),
    ("Lights along the coast", "Tower Gallery", "Lighthouse at dusk", (6, 20), (12, 6)),
]

EVENTS = [
    ("Rigging workshop for families", (7, 4, 14), 18),
    ("Evening tour: the boatyard after hours", (7, 11, 19), 25),
    ("Sketching the harbour", (7, 18, 10), 16),
    ("Lecture: storms in the archive", (8, 1, 18), 80),
]


class Command(BaseCommand):
    help = "Fills an empty site with the museum's people, pictures and pages."

    def add_arguments(self, parser):
        parser.add_argument("pictures")

    def handle(self, *args, **options):
        users = self.make_users()
        people = {
            name: Person.objects.create(name=name, role=role)
            for name, role in [
                ("Mira", "Curator of maritime history"),
                ("Jonas", "Navigation and charts"),
                ("Ines", "Boatyard and conservation"),
                ("Sam", "Editor"),
            ]
        }
        images = self.make_images(Path(options["pictures"]), users["mira"])
        self.make_pages(users, people, images)

    def make_users(self):
        users = {}
        for name, group in [("mira", None), ("jonas", "Editors"), ("ines", "Editors"), ("sam", "Moderators")]:
            user = User.objects.create_user(
                name,
                f"{name}@example.org",
                "harbour-lights",
                first_name=name.title(),
                is_superuser=group is None,
                is_staff=True,
            )
            if group:
                user.groups.add(Group.objects.get(name=group))
            users[name] = user
        return users

    def make_images(self, folder, uploader):
        images = {}
        for path in sorted(folder.glob("*.png")):
            title = path.stem[3:].replace("-", " ").capitalize()
            image = Image(title=title, uploaded_by_user=uploader)
            with path.open("rb") as file:
                image.file.save(path.name, ImageFile(file), save=True)
            image.tags.add("collection" if "map" in title or "Chart" in title else "harbour")
            images[title] = image
        return images

    def make_pages(self, users, people, images):
        root = Page.get_first_root_node()
        Page.objects.filter(depth__gt=1).delete()
        root = Page.get_first_root_node()
        home = root.add_child(
            instance=HomePage(title="Tidewater Museum", slug="home", introduction="<p>A museum of the working coast.</p>")
        )
        Site.objects.all().delete()
        Site.objects.create(hostname="museum.example.org", port=443, root_page=home, is_default_site=True)
        sections = {}
        for title, intro in [
            ("Stories", "Long reads from the archive, the boatyard and the quay."),
            ("Exhibitions", "What is on show, and where to find it."),
            ("Events", "Tours, workshops and talks."),
            ("Visit", "Opening hours, tickets and how to reach us by boat."),
        ]:
            sections[title] = home.add_child(instance=IndexPage(title=title, introduction=f"<p>{intro}</p>"))
            sections[title].save_revision(user=users["sam"]).publish()

        today = datetime.date(2026, 6, 1)
        for number, (title, summary, cover, author) in enumerate(STORIES):
            story = StoryPage(
                title=title,
                summary=summary,
                cover=images[cover],
                author=people[author],
                published_on=today - datetime.timedelta(days=9 * number),
                body=[
                    ("paragraph", f"<p>{summary}</p>"),
                    ("heading", "From the archive"),
                    ("image", images[cover]),
                ],
                live=False,
            )
            sections["Stories"].add_child(instance=story)
            revision = story.save_revision(user=users[author.lower()], log_action=True)
            if number not in (2, 5):
                revision.publish(user=users["sam"])
            elif number == 2:
                Workflow.objects.get(name="Moderators approval").start(story, users["ines"])

        for title, room, cover, opens, closes in EXHIBITIONS:
            exhibition = ExhibitionPage(
                title=title,
                room=room,
                cover=images[cover],
                opens_on=datetime.date(2026, *opens),
                closes_on=datetime.date(2026, *closes),
                summary="Objects, letters and recordings from the museum's own collection.",
                live=False,
            )
            sections["Exhibitions"].add_child(instance=exhibition)
            exhibition.save_revision(user=users["mira"], log_action=True).publish(user=users["mira"])

        for title, (month, day, hour), places in EVENTS:
            event = EventPage(
                title=title,
                starts_at=datetime.datetime(2026, month, day, hour, tzinfo=datetime.timezone.utc),
                places=places,
                summary="Free with a museum ticket; please book a place.",
                live=False,
            )
            sections["Events"].add_child(instance=event)
            event.save_revision(user=users["jonas"]).publish(user=users["sam"])

        PageLogEntry.objects.filter(user=None).update(user=users["sam"])
        self.spread_over_weeks()

    def spread_over_weeks(self):
        """Without it every list would say "just now"."""
        now = timezone.now()
        for number, page in enumerate(Page.objects.filter(depth__gt=1).order_by("-id")):
            when = now - datetime.timedelta(hours=3 + 31 * number)
            Revision.page_revisions.filter(object_id=str(page.pk)).update(created_at=when)
            PageLogEntry.objects.filter(page=page).update(timestamp=when)
            TaskState.objects.filter(revision__object_id=str(page.pk)).update(started_at=when)
            dates = {"latest_revision_created_at": when}
            if page.live:
                dates |= {"first_published_at": when, "last_published_at": when}
            Page.objects.filter(pk=page.pk).update(**dates)
        for number, image in enumerate(Image.objects.order_by("-id")):
            Image.objects.filter(pk=image.pk).update(created_at=now - datetime.timedelta(days=2 + number))
