// Run as a process of its own: saves screens one by one. Arguments: the database file, then screen ids.
import { openSqliteStores } from '../../src/engines/sql/open.ts';
import { screenRecord } from './screen-record.ts';

const [file = '', ...ids] = process.argv.slice(2);
const stores = await openSqliteStores(file);
for (const id of ids) await stores.catalogue.save({ screens: [screenRecord(id)] });
await stores.close();
