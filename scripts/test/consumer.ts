import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'

const QUIET = ['--prefer-offline', '--no-audit', '--no-fund', '--ignore-scripts', '--loglevel=error']
const RUN_MS = 60_000
const INSTALL_MS = 120_000

// The workspace brings a Node 24; the machine's own, which npm runs on, may be older.
const outside = (process.env.PATH ?? '').split(delimiter).filter((folder) => !folder.includes('node_modules'))

/** The Node of the machine: 20 in CI. */
export const machineNode = outside.map((folder) => join(folder, 'node')).find(existsSync) ?? process.execPath

/** An empty project that installs what it is given, and nothing of this workspace. */
export class Consumer {
  readonly folder = mkdtempSync(join(tmpdir(), 'consumer-'))
  readonly #running: ChildProcess[] = []

  constructor() {
    this.write('package.json', '{ "name": "consumer", "private": true, "type": "module" }')
  }

  write(file: string, text: string): void {
    writeFileSync(join(this.folder, file), text)
  }

  async install(...packages: string[]): Promise<void> {
    await this.#run('npm', ['install', ...QUIET, ...packages], machineNode, INSTALL_MS)
  }

  /** Runs a program, by default with the Node of the workspace, and gives what it printed. */
  run(program: string, args: string[] = [], node = process.execPath): Promise<string> {
    this.write('main.js', program)
    return this.#run(node, ['main.js', ...args], node)
  }

  /** Checks the types of the project, those of the packages too, and gives what the compiler says. */
  compile(compiler: string, ...flags: string[]): Promise<string> {
    const args = [`node_modules/${compiler}/bin/tsc`, ...flags]
    return this.#run(process.execPath, args, process.execPath).catch(String)
  }

  /** Runs a command of an installed package, as npm links it. */
  command(name: string, args: string[]): Promise<string> {
    return this.#run(join(this.folder, 'node_modules/.bin', name), args, process.execPath)
  }

  /** Starts a command of an installed package that serves, and gives the address that it prints. */
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
    throw new Error(`${name} ended before it said where it listens`)
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

function environment(node: string): NodeJS.ProcessEnv {
  return { ...process.env, PATH: [dirname(node), ...outside].join(delimiter) }
}
