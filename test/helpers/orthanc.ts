import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe } from 'vitest';

const BINARIES = ['/usr/sbin/Orthanc', '/usr/bin/Orthanc', '/usr/local/sbin/Orthanc'];
const PLUGINS = [
  '/usr/share/orthanc/plugins/libOrthancDicomWeb.so',
  '/usr/lib/orthanc/libOrthancDicomWeb.so',
  '/usr/local/share/orthanc/plugins/libOrthancDicomWeb.so',
];

/** A suite that needs Orthanc with its DICOMweb plugin. Without it the suite is skipped by name; under CI=true it fails. */
export function describeOrthanc(title: string, body: () => void): void {
  const present = BINARIES.some(existsSync) && PLUGINS.some(existsSync);
  if (present || process.env.CI === 'true') describe(title, body);
  else describe.skip(`${title} [skipped: Orthanc with its DICOMweb plugin is not here]`, body);
}

/** A running Orthanc. It listens on this machine only, for HTTP only, and keeps everything in a temporary folder. */
export interface Orthanc {
  /** As a source of `groundmark index`. */
  readonly source: string;
  readonly base: string;
  /** `user:password` of its one user. */
  readonly credentials: string;
  /** Stores a file as it is, unless its instance is there already. */
  upload(file: string): Promise<'stored' | 'there-already' | 'refused'>;
  /** Ends it and removes what it kept. */
  stop(): Promise<void>;
}

/** Starts Orthanc and waits until it answers. */
export async function startOrthanc(): Promise<Orthanc> {
  const [binary, plugin] = [BINARIES.find(existsSync), PLUGINS.find(existsSync)];
  if (binary === undefined || plugin === undefined) {
    throw new Error('Orthanc or its DICOMweb plugin is not installed: see scripts/test-packages.sh');
  }
  const folder = await mkdtemp(path.join(tmpdir(), 'gm-orthanc-'));
  const port = await freePort();
  const [user, password] = ['reader', 's3cret-of-the-test'];
  const config = {
    Name: 'Groundmark test',
    HttpPort: port,
    RemoteAccessAllowed: false,
    DicomServerEnabled: false,
    AuthenticationEnabled: true,
    RegisteredUsers: { [user]: password },
    Plugins: [plugin],
    StorageDirectory: path.join(folder, 'storage'),
    IndexDirectory: path.join(folder, 'storage'),
    DicomWeb: { Enable: true, Root: '/dicom-web/' },
  };
  await writeFile(path.join(folder, 'orthanc.json'), JSON.stringify(config));
  const child = spawn(binary, [path.join(folder, 'orthanc.json')], { stdio: ['ignore', 'pipe', 'pipe'] });
  const lines: Buffer[] = [];
  child.stdout.on('data', (chunk: Buffer) => lines.push(chunk));
  child.stderr.on('data', (chunk: Buffer) => lines.push(chunk));
  const onExit = (): void => void child.kill('SIGKILL');
  process.once('exit', onExit);
  const stop = async (): Promise<void> => {
    await end(child);
    process.off('exit', onExit);
    await rm(folder, { recursive: true, force: true });
  };

  const root = `http://127.0.0.1:${port}`;
  const authorization = `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;
  try {
    await waitFor(`${root}/dicom-web/studies?limit=1`, authorization, child);
  } catch (error) {
    await stop();
    throw new Error(`Orthanc did not start: ${Buffer.concat(lines).toString('utf8').slice(-2000)}`, {
      cause: error,
    });
  }
  return {
    source: `dicomweb+${root}/dicom-web`,
    base: `${root}/dicom-web`,
    credentials: `${user}:${password}`,
    async upload(file) {
      const body = await readFile(file);
      const reply = await fetch(`${root}/instances`, { method: 'POST', headers: { authorization }, body });
      if (!reply.ok) return 'refused';
      const { Status } = (await reply.json()) as { Status: string };
      return Status === 'Success' ? 'stored' : 'there-already';
    },
    stop,
  };
}

async function waitFor(url: string, authorization: string, child: ChildProcess): Promise<void> {
  for (let tries = 0; tries < 240; tries++) {
    if (child.exitCode !== null) throw new Error(`it ended with ${child.exitCode}`);
    const ready = await fetch(url, { headers: { authorization } }).then(
      ({ ok }) => ok,
      () => false,
    );
    if (ready) return;
    await sleep(250);
  }
  throw new Error('it does not answer');
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGTERM');
  const hard = setTimeout(() => child.kill('SIGKILL'), 10_000);
  await ended;
  clearTimeout(hard);
}

async function freePort(): Promise<number> {
  const probe = createServer();
  await new Promise<void>((resolve) => probe.listen(0, '127.0.0.1', resolve));
  const { port } = probe.address() as AddressInfo;
  await new Promise((resolve) => probe.close(resolve));
  return port;
}
