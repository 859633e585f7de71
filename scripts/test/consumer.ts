import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { type Place, Terminal } from './terminal.ts'

/** A packed package of this workspace. */
export interface Tarball {
  /** The name by which a project imports the package. */
  readonly name: string
  readonly file: string
  /** The folder of the package. */
  readonly home: string
}

const NODE24 = { node: process.execPath }
/** A Node that calls itself 20.20.2. */
const OLD = `node --import "data:text/javascript,Object.defineProperty(process.versions,'node',{value:'20.20.2'})"`

/** An empty project that installs the given packages, without access to this workspace. */
export class Consumer extends Terminal {
  constructor() {
    super()
    this.write('package.json', '{ "name": "consumer", "private": true, "type": "module" }')
  }

  /** Installs packages with npm: files of tarballs, or names with versions. */
  async install(...specs: readonly string[]): Promise<void> {
    await this.run(
      `npm install --no-audit --no-fund --ignore-scripts --loglevel=error ${specs.join(' ')}`,
    )
  }

  /**
   * Does what npm does for one tarball, except that its dependencies are those of this workspace.
   */
  link({ name, file, home }: Tarball): void {
    const modules = join(this.folder, 'node_modules')
    const target = join(modules, name)
    mkdirSync(target, { recursive: true })
    execFileSync('tar', ['-xzf', file, '-C', target, '--strip-components=1'])
    const { dependencies = {}, bin = {} } = JSON.parse(
      readFileSync(join(target, 'package.json'), 'utf8'),
    )
    for (const needed of Object.keys(dependencies)) linkFrom(home, needed, join(modules, needed))
    mkdirSync(join(modules, '.bin'), { recursive: true })
    for (const [command, program] of Object.entries<string>(bin)) {
      chmodSync(join(target, program), 0o755)
      symlinkSync(join(target, program), join(modules, '.bin', command))
    }
  }

  /** Runs a program, by default with the Node of the workspace. */
  runProgram(program: string, args = '', place: Place = NODE24): Promise<string> {
    this.write('main.js', program)
    return this.run(`node main.js ${args}`, place)
  }

  /** Type-checks the project and its packages, and returns the compiler output. */
  compile(compiler: string, ...flags: string[]): Promise<string> {
    return this.run(`node node_modules/${compiler}/bin/tsc ${flags.join(' ')}`, NODE24).catch(
      String,
    )
  }

  /** Runs the command of an installed package, as npm links it. */
  command(command: string, input = ''): Promise<string> {
    return this.run(`node_modules/.bin/${command}`, { ...NODE24, input })
  }

  /** Runs a file on an old Node. */
  runOnOldNode(file: string) {
    return this.start(`${OLD} ${file}`).ended
  }

  /** Starts a server command of an installed package, and returns the address that it prints. */
  async serve(command: string): Promise<string> {
    const server = this.start(`node_modules/.bin/${command}`, NODE24)
    const [, port] = await server.printed(/http:\/\/[\d.]+:(\d+)/)
    return `http://127.0.0.1:${port}`
  }
}

/** A dependency of the package, or of one whose code it contains: pnpm keeps a link to each. */
function linkFrom(home: string, name: string, place: string): void {
  const own = join(home, 'node_modules', name)
  const target = existsSync(own) ? own : join(ROOT, 'node_modules/.pnpm/node_modules', name)
  mkdirSync(dirname(place), { recursive: true })
  rmSync(place, { force: true })
  symlinkSync(realpathSync(target), place)
}

const ROOT = join(import.meta.dirname, '../..')
