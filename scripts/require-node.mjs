// Loaded before every command (node --import), in syntax that every Node.js understands: an older one cannot even read
// the TypeScript that follows, and would say so in many lines that help nobody.
const REQUIRED_MAJOR = 24;
if (Number(process.versions.node.split('.')[0]) < REQUIRED_MAJOR) {
  process.stderr.write(
    `Vitrine needs Node.js ${REQUIRED_MAJOR} or newer; this is ${process.version}. Start it through npm (npm start, npm run …) after npm ci, or install the version in .nvmrc.\n`,
  );
  process.exit(78);
}
