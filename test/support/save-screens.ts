// Run as a process of its own: saves screens one by one. Arguments: the database's file or address, then screen ids.
import { openPostgresStores } from '../../src/engines/sql/open-postgres.ts';
import { openSqliteStores } from '../../src/engines/sql/open-sqlite.ts';
import { screenRecord } from './screen-record.ts';

const [database = '', ...ids] = process.argv.slice(2);
const open = database.startsWith('postgres:') ? openPostgresStores : openSqliteStores;
const stores = await open(database);
for (const id of ids) await stores.catalogue.save({ screens: [screenRecord(id)] });
await stores.close();
