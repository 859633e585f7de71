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
import { IS_CAMPAIGN } from '@partner-payments/campaign'

/** A package that a test project installs. */
export interface Installed {
  /** The name by which the project imports it. */
  readonly name: string
  /** What npm installs: the path of a tarball, or a name with a version. */
  readonly spec: string
  /** The workspace package that is in the tarball, or that depends on the package. */
  readonly home: string
  /** The dependency name in that workspace package; undefined for a tarball. */
  readonly from?: string
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

  /** Links packages into the project, from a tarball or from a workspace package. */
  async install(...packages: readonly Installed[]): Promise<void> {
    if (IS_CAMPAIGN)
      await this.#run(
        'npm',
        ['install', ...QUIET, ...packages.map(({ spec }) => spec)],
        machineNode,
        INSTALL_MS,
      )
    else for (const it of packages) link(it, join(this.folder, 'node_modules'))
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
  command(name: string, args: string[]): Promise<string> {
    return this.#run(join(this.folder, 'node_modules/.bin', name), args, process.execPath)
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
      const [url] = /http:\/\/127\.0\.0\.1:\d+/.exec(line) ?? []
      if (url) return url
    }
    throw new Error(`${name} exited before it printed its URL`)
  }

  remove(): void {
    for (const child of this.#running) child.kill('SIGKILL')
    rmSync(this.folder, { recursive: true, force: true })
  }

  async #run(file: string, args: string[], node: string, timeout = RUN_MS): Promise<string> {
    const options = { cwd: this.folder, env: environment(node), timeout }
    const { stdout } = await promisify(execFile)(file, args, options).catch(
      ({ message, stdout, stderr }: Error & { stdout?: string; stderr?: string }) => {
        throw new Error([message, stdout, stderr].join('\n'))
      },
    )
    return stdout
  }
}

/** Does what npm does for one package, except that its dependencies stay where they are. */
function link({ name, spec, home, from }: Installed, modules: string): void {
  const target = join(modules, name)
  if (from) {
    linkFrom(home, from, target)
    return
  }
  mkdirSync(target, { recursive: true })
  execFileSync('tar', ['-xzf', spec, '-C', target, '--strip-components=1'])
  const { dependencies = {}, bin = {} } = JSON.parse(readFileSync(join(target, 'package.json'), 'utf8'))
  for (const needed of Object.keys(dependencies)) linkFrom(home, needed, join(modules, needed))
  mkdirSync(join(modules, '.bin'), { recursive: true })
  for (const [command, file] of Object.entries<string>(bin)) {
    chmodSync(join(target, file), 0o755)
    symlinkSync(join(target, file), join(modules, '.bin', command))
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
