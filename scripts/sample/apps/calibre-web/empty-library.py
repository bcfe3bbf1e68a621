"""Makes an empty library at the path argument, from the table definitions that Calibre-Web itself carries."""

import sys
import uuid

from sqlalchemy import Float, create_engine, insert, text

from calibreweb.cps import db

# Some definitions name a schema, because Calibre-Web attaches the file under that name.
options = {"schema_translate_map": {"calibre": None}}
# A library made by calibre stores numbers here, which the pages rely on.
db.Books.__table__.c.series_index.type = Float()
# It also fills in these two itself; Calibre-Web brings both functions.
ON_INSERT = """CREATE TRIGGER on_insert AFTER INSERT ON books BEGIN
UPDATE books SET sort = title_sort(NEW.title), uuid = uuid4() WHERE id = NEW.id; END"""
engine = create_engine(f"sqlite:///{sys.argv[1]}", execution_options=options)
with engine.begin() as connection:
    db.Base.metadata.create_all(connection)
    connection.execute(text(ON_INSERT))
    connection.execute(insert(db.Library_Id).values(uuid=str(uuid.uuid4())))
