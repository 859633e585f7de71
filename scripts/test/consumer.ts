import { type ChildProcess, execFile, execFileSync, spawn, spawnSync } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'

/** A packed package of this workspace. */
export interface Tarball {
  /** The name by which a project imports the package. */
  readonly name: string
  readonly file: string
  /** The folder of the package. */
  readonly home: string
}

const QUIET = ['--prefer-offline', '--no-audit', '--no-fund', '--ignore-scripts', '--loglevel=error']
const RUN_MS = 60_000
const INSTALL_MS = 120_000

/** The folders of `PATH` but those of this workspace, which brings Node 24: the machine's own, which runs npm, may be older. */
export const outside = (process.env.PATH ?? '')
  .split(delimiter)
  .filter((folder) => !folder.includes('node_modules'))

/** The Node of the machine: 20 in CI. */
export const machineNode = outside.map((folder) => join(folder, 'node')).find(existsSync) ?? process.execPath

/** An empty project that installs the given packages, without access to this workspace. */
export class Consumer {
  readonly folder = mkdtempSync(join(tmpdir(), 'consumer-'))
  readonly #running: ChildProcess[] = []

  constructor() {
    this.write('package.json', '{ "name": "consumer", "private": true, "type": "module" }')
  }

  write(file: string, text: string): void {
    writeFileSync(join(this.folder, file), text)
  }

  /** Installs packages with npm: files of tarballs, or names with versions. */
  async install(...specs: readonly string[]): Promise<void> {
    await this.#run('npm', ['install', ...QUIET, ...specs], machineNode, INSTALL_MS)
  }

  /** Does what npm does for one tarball, except that its dependencies are those of this workspace. */
  link(tarball: Tarball): void {
    link(tarball, join(this.folder, 'node_modules'))
  }

  /** Runs a program, by default with the Node of the workspace, and returns its output. */
  run(program: string, args: string[] = [], node = process.execPath): Promise<string> {
    this.write('main.js', program)
    return this.#run(node, ['main.js', ...args], node)
  }

  /** Type-checks the project and its packages, and returns the compiler output. */
  compile(compiler: string, ...flags: string[]): Promise<string> {
    const args = [`node_modules/${compiler}/bin/tsc`, ...flags]
    return this.#run(process.execPath, args, process.execPath).catch(String)
  }

  /** Runs the command of an installed package, as npm links it. */
  command(name: string, args: string[], input = ''): Promise<string> {
    return this.#run(join(this.folder, 'node_modules/.bin', name), args, process.execPath, RUN_MS, input)
  }

  /** Runs a file on the Node of the machine, which calls itself 20.20.2. */
  runOnOldNode(file: string): { readonly status: number | null; readonly stderr: string } {
    const fake = `data:text/javascript,Object.defineProperty(process.versions,'node',{value:'20.20.2'})`
    return spawnSync(machineNode, ['--import', fake, file], {
      cwd: this.folder,
      encoding: 'utf8',
      timeout: RUN_MS,
    })
  }

  /** Starts a server command of an installed package, and returns the address that it prints. */
  async serve(name: string, args: string[]): Promise<string> {
    const child = spawn(join(this.folder, 'node_modules/.bin', name), args, {
      cwd: this.folder,
      env: environment(process.execPath),
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    this.#running.push(child)
    for await (const line of createInterface(child.stdout)) {
      const [, port] = /http:\/\/[\d.]+:(\d+)/.exec(line) ?? []
      if (port) return `http://127.0.0.1:${port}`
    }
    throw new Error(`${name} exited before it printed its URL`)
  }

  remove(): void {
    for (const child of this.#running) child.kill('SIGKILL')
    rmSync(this.folder, { recursive: true, force: true })
  }

  async #run(file: string, args: string[], node: string, timeout = RUN_MS, input = ''): Promise<string> {
    const options = { cwd: this.folder, env: environment(node), timeout }
    const running = promisify(execFile)(file, args, options)
    running.child.stdin?.end(input)
    const { stdout } = await running.catch(
      ({ message, stdout, stderr }: Error & { stdout?: string; stderr?: string }) => {
        throw new Error([message, stdout, stderr].join('\n'))
      },
    )
    return stdout
  }
}

function link({ name, file, home }: Tarball, modules: string): void {
  const target = join(modules, name)
  mkdirSync(target, { recursive: true })
  execFileSync('tar', ['-xzf', file, '-C', target, '--strip-components=1'])
  const { dependencies = {}, bin = {} } = JSON.parse(readFileSync(join(target, 'package.json'), 'utf8'))
  for (const needed of Object.keys(dependencies)) linkFrom(home, needed, join(modules, needed))
  mkdirSync(join(modules, '.bin'), { recursive: true })
  for (const [command, program] of Object.entries<string>(bin)) {
    chmodSync(join(target, program), 0o755)
    symlinkSync(join(target, program), join(modules, '.bin', command))
  }
}

function linkFrom(home: string, name: string, place: string): void {
  mkdirSync(dirname(place), { recursive: true })
  rmSync(place, { force: true })
  symlinkSync(realpathSync(join(home, 'node_modules', name)), place)
}

function environment(node: string): NodeJS.ProcessEnv {
  return { ...process.env, PATH: [dirname(node), ...outside].join(delimiter) }
}
