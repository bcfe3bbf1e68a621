"""Reads books as JSON from standard input and writes one EPUB for each into the folder argument."""

import json
import sys
import zipfile
from pathlib import Path
from xml.sax.saxutils import escape

CONTAINER = """<?xml version="1.0"?>
<container version="1.0" xmlns="urn:oasis:names:tc:opendocument:xmlns:container">
<rootfiles><rootfile full-path="book.opf" media-type="application/oebps-package+xml"/></rootfiles>
</container>"""

CHAPTERS = {
    "The weighing house": [
        "The barrel came in on a Tuesday, and again on a Thursday, and it was the same barrel.",
        "Ada Quill had kept the salt ledger for eleven years. In that time she had learned the hands of every "
        "skipper on the quay: who made a seven like a hook, who blotted, who wrote the weight before the name. "
        "The entry on the Thursday line was in nobody's hand at all.",
        "She put down her pen, because that was the rule when a line was doubtful, and went to the window. "
        "The harbour was the colour of slate. Two boys were throwing ice at a mooring post and hitting it.",
        "“Mister Holm,” she said, without turning round, “how many barrels did the Marit land this week?”",
        "“Forty,” said Holm, who never looked anything up.",
        "“The ledger says forty-one.”",
        "“Then there are forty-one.” He folded his newspaper along an older fold. “It is the ledger, Miss Quill. "
        "It isn't there to be agreed with.”",
        "She took the shawl from its hook. The stair of the weighing house had sixty-one steps, of which the ninth "
        "and the fortieth were loose, and she had long since stopped noticing that she stepped over them.",
        "Outside, the wind had gone round to the north. It brought tar, herring and the thin bright smell of snow "
        "that has not made up its mind. The Marit lay at the end of the quay with her hatches closed.",
        "“We are empty,” said the mate, before she had asked. “Forty, and a receipt for forty. Shall I read it to you?”",
        "“Please.”",
        "He read it to her. It was in her own hand, and it said forty-one.",
        "Neither of them spoke for a while. A gull walked the length of the rail and turned round at the end, "
        "exactly as a clerk does who has come to the foot of a column.",
        "“Miss Quill,” said the mate at last, quite gently, “which of us is it that cannot count?”",
    ],
    "Forty-one": [
        "At noon she walked the length of the quay and counted. There were forty barrels, and a space.",
    ],
}


def page(title, paragraphs):
    body = "".join(f"<p>{escape(text)}</p>" for text in paragraphs)
    return (
        '<?xml version="1.0" encoding="utf-8"?><html xmlns="http://www.w3.org/1999/xhtml">'
        f"<head><title>{escape(title)}</title></head><body><h2>{escape(title)}</h2>{body}</body></html>"
    )


def package(book, pages):
    tags = "".join(f"<dc:subject>{escape(tag)}</dc:subject>" for tag in book["tags"])
    authors = "".join(f"<dc:creator>{escape(name)}</dc:creator>" for name in book["authors"])
    series = ""
    if "series" in book:
        series = (
            f'<meta name="calibre:series" content="{escape(book["series"])}"/>'
            f'<meta name="calibre:series_index" content="{book["volume"]}"/>'
        )
    items = "".join(
        f'<item id="p{n}" href="p{n}.xhtml" media-type="application/xhtml+xml"/>' for n in range(len(pages))
    )
    spine = "".join(f'<itemref idref="p{n}"/>' for n in range(len(pages)))
    return (
        '<?xml version="1.0" encoding="utf-8"?><package xmlns="http://www.idpf.org/2007/opf" version="2.0" '
        'unique-identifier="calibre"><metadata xmlns:dc="http://purl.org/dc/elements/1.1/">'
        f'<dc:identifier id="calibre">{escape(book["file"])}</dc:identifier><dc:title>{escape(book["title"])}</dc:title>'
        f"{authors}<dc:language>en</dc:language><dc:publisher>{escape(book['publisher'])}</dc:publisher>"
        f"<dc:date>{book['published']}</dc:date><dc:description>{escape(book['description'])}</dc:description>"
        f'{tags}{series}<meta name="cover" content="cover-image"/></metadata>'
        '<manifest><item id="cover-image" href="cover.jpg" media-type="image/jpeg"/>'
        f'<item id="ncx" href="toc.ncx" media-type="application/x-dtbncx+xml"/>{items}</manifest>'
        f'<spine toc="ncx">{spine}</spine></package>'
    )


def contents(titles):
    points = "".join(
        f'<navPoint id="n{n}" playOrder="{n + 1}"><navLabel><text>{escape(title)}</text></navLabel>'
        f'<content src="p{n}.xhtml"/></navPoint>'
        for n, title in enumerate(titles)
    )
    return (
        '<?xml version="1.0" encoding="utf-8"?><ncx xmlns="http://www.daisy.org/z3986/2005/ncx/" version="2005-1">'
        f"<head/><docTitle><text>Contents</text></docTitle><navMap>{points}</navMap></ncx>"
    )


def main(folder):
    for book in json.load(sys.stdin):
        with zipfile.ZipFile(folder / f"{book['file']}.epub", "w", zipfile.ZIP_DEFLATED) as epub:
            epub.writestr("mimetype", "application/epub+zip", zipfile.ZIP_STORED)
            epub.writestr("META-INF/container.xml", CONTAINER)
            epub.writestr("book.opf", package(book, CHAPTERS))
            epub.writestr("toc.ncx", contents(CHAPTERS))
            epub.write(folder / f"{book['file']}.jpg", "cover.jpg")
            for n, (title, paragraphs) in enumerate(CHAPTERS.items()):
                epub.writestr(f"p{n}.xhtml", page(title, paragraphs))


main(Path(sys.argv[1]))
