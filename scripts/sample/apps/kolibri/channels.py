"""Writes channels, read as JSON from standard input, into the library of KOLIBRI_HOME.

The channels of a running server come from another server; here they are entered straight into its tables. The argument
is the page that becomes the one lesson that can be opened; the quiz is written below.
"""

import hashlib
import json
import sys
import uuid
import zipfile
from base64 import b64encode
from io import BytesIO
from pathlib import Path

from kolibri.main import initialize

initialize()

from django.utils import timezone  # noqa: E402
from kolibri.core.content.models import (  # noqa: E402
    AssessmentMetaData,
    ChannelMetadata,
    ContentNode,
    File,
    Language,
    LocalFile,
)
from kolibri.core.content.utils import paths  # noqa: E402
from kolibri.core.content.utils.annotation import update_content_metadata  # noqa: E402
from le_utils.constants import format_presets as presets  # noqa: E402

# Codes of the labels Explore, Practice, Read and Watch.
ACTIVITIES = {"html5": "#j8L0eq3", "exercise": "VwRCom7G", "document": "wA01urpi", "video": "UD5UGM0z"}
QUESTIONS = [
    ("How often is there high water on most coasts?", ["Once a week", "Twice a day", "Every full moon"], 1),
    ("What pulls hardest at the sea?", ["The Moon", "The wind", "The harbour"], 0),
    ("What is a spring tide?", ["A tide in March", "A wave after rain", "An especially high and low tide"], 2),
]


def identify(*names):
    return uuid.uuid5(uuid.NAMESPACE_URL, "/".join(names)).hex


def keep(data, extension):
    """Stores bytes where the server looks for them, under their own checksum."""
    checksum = hashlib.md5(data).hexdigest()
    path = Path(paths.get_content_storage_file_path(f"{checksum}.{extension}"))
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)
    local, _ = LocalFile.objects.get_or_create(
        id=checksum, defaults={"extension": extension, "available": True, "file_size": len(data)}
    )
    return local


def attach(node, data, extension, preset, thumbnail=False):
    File.objects.create(
        id=identify(node.id, preset),
        local_file=keep(data, extension),
        contentnode=node,
        preset=preset,
        thumbnail=thumbnail,
        supplementary=thumbnail,
        priority=1,
    )


def pack(files):
    target = BytesIO()
    with zipfile.ZipFile(target, "w") as archive:
        for name, text in files.items():
            archive.writestr(zipfile.ZipInfo(name), text)
    return target.getvalue()


def question(text, choices, right):
    options = [{"content": choice, "correct": n == right} for n, choice in enumerate(choices)]
    radio = {
        "type": "radio",
        "alignment": "default",
        "static": False,
        "graded": True,
        "options": {
            "choices": options,
            "randomize": False,
            "multipleSelect": False,
            "displayCount": None,
            "hasNoneOfTheAbove": False,
            "onePerLine": True,
            "deselectEnabled": False,
        },
        "version": {"major": 1, "minor": 0},
    }
    content = f"**{text}**\n\n[[\u2603 radio 1]]"
    hint = {"content": "Look at the picture in the lesson once more.", "images": {}, "widgets": {}}
    return {
        "question": {"content": content, "images": {}, "widgets": {"radio 1": radio}},
        "answerArea": {"calculator": False, "chi2Table": False, "periodicTable": False, "tTable": False, "zTable": False},
        "itemDataVersion": {"major": 0, "minor": 1},
        "hints": [hint],
    }


def add_quiz(node):
    items = {identify(node.id, text): question(text, choices, right) for text, choices, right in QUESTIONS}
    exercise = {
        "all_assessment_items": list(items),
        "mastery_model": "m_of_n",
        "randomize": False,
        "m": 2,
        "n": 3,
    }
    files = {"exercise.json": json.dumps(exercise)}
    files.update({f"{key}.json": json.dumps(item) for key, item in items.items()})
    attach(node, pack(files), "perseus", presets.EXERCISE)
    AssessmentMetaData.objects.create(
        id=identify(node.id, "assessment"),
        contentnode=node,
        assessment_item_ids=list(items),
        number_of_assessments=len(items),
        mastery_model={"type": "m_of_n", "m": 2, "n": 3},
        randomize=False,
        is_manipulable=True,
    )


def add_resource(resource, channel_id, parent, lesson, lang):
    node = ContentNode.objects.create(
        id=identify(parent.id, resource["title"]),
        parent=parent,
        channel_id=channel_id,
        content_id=identify("content", parent.id, resource["title"]),
        title=resource["title"],
        description=resource["description"],
        kind=resource["kind"],
        available=True,
        lang=lang,
        license_name="CC BY",
        license_owner="Quay Lane School",
        duration=resource["duration"] * 60,
        learning_activities=ACTIVITIES[resource["kind"]],
    )
    kind = resource["kind"]
    if kind == "exercise":
        add_quiz(node)
    elif kind == "html5":
        attach(node, pack({"index.html": lesson}), "zip", presets.HTML5_ZIP)
    elif kind == "document":
        attach(node, f"{node.title}".encode(), "pdf", presets.DOCUMENT)
    else:
        attach(node, f"{node.title}".encode(), "mp4", presets.VIDEO_HIGH_RES)
    attach(node, Path(resource["picture"]).read_bytes(), "png", f"{kind}_thumbnail", thumbnail=True)


def add_channel(channel, lesson, lang):
    channel_id = identify(channel["name"])
    root = ContentNode.objects.create(
        id=identify(channel_id, "root"),
        channel_id=channel_id,
        content_id=identify(channel_id, "content"),
        title=channel["name"],
        description=channel["description"],
        kind="topic",
        available=True,
        lang=lang,
    )
    picture = b64encode(Path(channel["picture"]).read_bytes()).decode()
    ChannelMetadata.objects.create(
        id=channel_id,
        name=channel["name"],
        description=channel["description"],
        tagline=channel["description"][:140],
        author="Quay Lane School",
        version=1,
        thumbnail=f"data:image/png;base64,{picture}",
        last_updated=timezone.now(),
        min_schema_version="5",
        root=root,
    )
    for folder in channel["folders"]:
        topic = ContentNode.objects.create(
            id=identify(channel_id, folder["title"]),
            parent=root,
            channel_id=channel_id,
            content_id=identify("content", channel_id, folder["title"]),
            title=folder["title"],
            description=folder["description"],
            kind="topic",
            available=True,
            lang=lang,
        )
        attach(topic, Path(folder["picture"]).read_bytes(), "png", presets.TOPIC_THUMBNAIL, thumbnail=True)
        for resource in folder["resources"]:
            add_resource(resource, channel_id, topic, lesson, lang)
    update_content_metadata(channel_id)


def main():
    lesson = Path(sys.argv[1]).read_text()
    lang, _ = Language.objects.get_or_create(
        id="en", defaults={"lang_code": "en", "lang_name": "English", "lang_direction": "ltr"}
    )
    for channel in json.load(sys.stdin):
        add_channel(channel, lesson, lang)


main()
