import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { readConfig, SETTING_NAMES } from '../../src/config.ts';

const ROOT = join(import.meta.dirname, '../..');
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');

interface Compose {
  services: Record<
    string,
    { image?: string; environment?: Record<string, string>; volumes?: string[]; depends_on?: object }
  >;
  volumes: Record<string, null>;
}

/** These are read by the AWS SDK itself. */
const OF_AWS = new Set(['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY']);

describe('docker-compose.yml', () => {
  const compose = parse(read('docker-compose.yml')) as Compose;
  const services = Object.entries(compose.services);
  const settings = compose.services['app']?.environment ?? {};

  it('sets nothing that is no setting, and nothing that the configuration refuses', () => {
    const names = Object.keys(settings);
    expect(names.length).toBeGreaterThan(5);
    expect(names.filter((name) => !SETTING_NAMES.includes(name) && !OF_AWS.has(name))).toEqual([]);
    const filledIn = Object.entries(settings).map(([name, value]) => [
      name,
      value.replace(/\$\{[^}]*\}/g, 'x1'),
    ]);
    expect(readConfig(Object.fromEntries(filledIn) as Record<string, string>)).toMatchObject({
      databaseUrl: expect.stringContaining('@postgres:5432/'),
      s3: { bucket: 'vitrine' },
      elasticsearch: { url: 'http://elasticsearch:9200' },
      qdrant: { url: 'http://qdrant:6333' },
    });
  });

  it('pins every image to a version', () => {
    const images = services.flatMap(([, { image }]) => image ?? []);
    expect(images.filter((image) => !/:v?\d+(\.\d+)+$/.test(image))).toEqual([]);
    expect(read('Dockerfile')).toMatch(/^FROM node:24\.\d+\.\d+-/);
  });

  it('names services and volumes that are there, and has no secret in it', () => {
    for (const [name, { volumes = [], depends_on: needed = {} }] of services) {
      for (const other of Object.keys(needed)) expect(compose.services, name).toHaveProperty(other);
      for (const volume of volumes) expect(compose.volumes, name).toHaveProperty(volume.split(':')[0] ?? '');
    }
    const secrets = services.flatMap(([, { environment = {} }]) =>
      Object.entries(environment).filter(([name]) => /PASSWORD|SECRET|API_KEY/.test(name)),
    );
    expect(secrets.length).toBeGreaterThan(3);
    expect(secrets.filter(([, value]) => !/^\$\{\w+:\?/.test(value))).toEqual([]);
  });
});

describe('the Dockerfile', () => {
  it('copies what is there, and is not kept from it', () => {
    const copied = [...read('Dockerfile').matchAll(/^COPY (.+) \S+$/gm)].flatMap(([, paths = '']) =>
      paths.split(' '),
    );
    expect(copied.length).toBeGreaterThan(5);
    const admitted = read('.dockerignore').split('\n');
    for (const path of copied) {
      expect(existsSync(join(ROOT, path)), path).toBe(true);
      expect(admitted).toContain(`!${path}`);
    }
  });

  it('sets nothing that is no setting', () => {
    const names = [...read('Dockerfile').matchAll(/^ENV (.+)$/gm)].flatMap(([, line = '']) =>
      line.split(' ').map((pair) => pair.split('=')[0]),
    );
    expect(names.filter((name = '') => !SETTING_NAMES.includes(name))).toEqual([]);
  });
});
