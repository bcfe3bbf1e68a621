import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { CreateBucketCommand, PutBucketPolicyCommand, S3Client } from '@aws-sdk/client-s3';
import { environmentWith } from './environment.ts';
import { freePort } from './postgres.ts';

/** Versity's S3 gateway over a folder: it checks signatures, their ends and bucket policies, as AWS does. */
const GATEWAY = 'github.com/versity/versitygw/cmd/versitygw@v1.8.0';
const GATEWAY_DIR = join(homedir(), '.cache/vitrine/versitygw-1.8.0');
const START_MS = 30_000;

export const S3_REGION = 'eu-central-1';
export const S3_CREDENTIALS = {
  AWS_ACCESS_KEY_ID: 'vitrine-test',
  AWS_SECRET_ACCESS_KEY: 'a secret of the test',
};

/** An S3 server of its own, on a scratch folder and a free port of this machine. */
export interface TestS3 {
  endpoint: string;
  /** Makes a bucket whose objects anyone may read but for the originals; its name. */
  createBucket(): Promise<string>;
  stop(): Promise<void>;
  start(): Promise<void>;
  close(): Promise<void>;
}

export async function startS3(): Promise<TestS3> {
  const gateway = ensureGateway();
  const dir = await mkdtemp(join(tmpdir(), 'vitrine-s3-'));
  const [objects, metadata] = [join(dir, 'objects'), join(dir, 'metadata')];
  await mkdir(objects);
  await mkdir(metadata);
  const port = await freePort();
  const endpoint = `http://127.0.0.1:${port}`;

  let server: ChildProcess | undefined;
  // A run that is broken off leaves nothing behind.
  process.once('exit', () => server?.kill('SIGKILL'));
  async function start(): Promise<void> {
    const settings = {
      ROOT_ACCESS_KEY: S3_CREDENTIALS.AWS_ACCESS_KEY_ID,
      ROOT_SECRET_KEY: S3_CREDENTIALS.AWS_SECRET_ACCESS_KEY,
      VGW_REGION: S3_REGION,
    };
    server = spawn(
      gateway,
      ['--port', `127.0.0.1:${port}`, '--quiet', 'posix', '--sidecar', metadata, objects],
      { env: environmentWith(settings), stdio: 'ignore' },
    );
    const deadline = Date.now() + START_MS;
    while (
      !(await fetch(endpoint).then(
        () => true,
        () => false,
      ))
    ) {
      if (Date.now() > deadline) throw new Error('The S3 server did not start in time.');
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }

  async function stop(): Promise<void> {
    if (server === undefined) return;
    const ended = once(server, 'exit');
    server.kill('SIGKILL');
    await ended;
    server = undefined;
  }

  await start();
  return {
    endpoint,
    start,
    stop,
    createBucket: () => createBucket(endpoint),
    async close() {
      await stop();
      await rm(dir, { recursive: true, force: true });
    },
  };
}

/** Makes a bucket whose objects anyone may read but for the originals; its name. */
export async function createBucket(endpoint: string): Promise<string> {
  const { AWS_ACCESS_KEY_ID: accessKeyId, AWS_SECRET_ACCESS_KEY: secretAccessKey } = S3_CREDENTIALS;
  const credentials = { accessKeyId, secretAccessKey };
  const client = new S3Client({ endpoint, region: S3_REGION, forcePathStyle: true, credentials });
  const Bucket = `library-${randomUUID()}`;
  await client.send(new CreateBucketCommand({ Bucket }));
  const readable = ['images', 'thumbs'].map((folder) => `arn:aws:s3:::${Bucket}/${folder}/*`);
  const statement = { Effect: 'Allow', Principal: '*', Action: 's3:GetObject', Resource: readable };
  const Policy = JSON.stringify({ Version: '2012-10-17', Statement: [statement] });
  await client.send(new PutBucketPolicyCommand({ Bucket, Policy }));
  client.destroy();
  return Bucket;
}

/** Built once on a machine, outside the repository. */
function ensureGateway(): string {
  const program = join(GATEWAY_DIR, 'versitygw');
  if (!existsSync(program)) {
    const { GOPATH, GOPROXY, GOCACHE } = process.env;
    const settings = Object.entries({ GOPATH, GOPROXY, GOCACHE, GOBIN: GATEWAY_DIR });
    const given = settings.filter((setting): setting is [string, string] => setting[1] !== undefined);
    execFileSync('go', ['install', GATEWAY], {
      env: environmentWith(Object.fromEntries(given)),
      stdio: 'pipe',
    });
  }
  return program;
}
