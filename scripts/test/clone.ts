import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, existsSync, globSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join, resolve } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { machineNode, outside } from './consumer.ts'

const ROOT = resolve(import.meta.dirname, '../..')
/** Most of it is for an install and builds on a busy machine. */
const RUN_MS = 200_000
const STOP_MS = 20_000

/** What a terminal has: nothing of pnpm, npm or vitest but the registry, and the machine's own Node. */
const own = /^(npm_(?!config_(registry|cache|cafile|userconfig)$)|pnpm_|node|vitest|test$|init_cwd$|ci$)/i

/** The tracked files of this tree as they are now, in a folder of their own: what a user has after `git clone`. */
export class Clone {
  readonly folder = mkdtempSync(join(tmpdir(), 'clone-'))
  readonly #running: Running[] = []
  readonly #folders = [this.folder]

  constructor() {
    for (const file of git('ls-files', '-z').split('\0').filter(Boolean))
      if (existsSync(join(ROOT, file))) cpSync(join(ROOT, file), join(this.folder, file))
  }

  /** An empty folder elsewhere, with the tarballs of the clone. */
  folderOfTarballs(): string {
    const folder = mkdtempSync(join(tmpdir(), 'tarballs-'))
    this.#folders.push(folder)
    for (const file of globSync('*.tgz', { cwd: join(this.folder, 'dist') }))
      cpSync(join(this.folder, 'dist', file), join(folder, file))
    return folder
  }

  write(file: string, text: string): void {
    writeFileSync(join(this.folder, file), text)
  }

  /** Saves a program where a page says, runs the command of the page there, and returns what it prints. */
  async runProgram(page: string, program: string): Promise<string> {
    const [, file = '', command = ''] =
      /[Ss]ave (?:it|the program) as\s+`(.*?)`, (?:then|and) run `(.*?)` in that folder/.exec(page) ?? []
    this.write(file, program)
    return this.run(command, { folder: dirname(file) })
  }

  /** Runs a script of a page. Returns what it prints; rejects if it fails. */
  async run(script: string, { folder = '.', node = machineNode } = {}): Promise<string> {
    const running = this.#start(script, folder, node)
    const [code] = await once(running.child, 'close', { signal: AbortSignal.timeout(RUN_MS) })
    if (code !== 0) throw new Error(`${script}\nended with ${code}:\n${running.text}`)
    return running.text
  }

  /** Starts a server, and returns it once its output matches. */
  async serve(script: string, ready: RegExp, { folder = '.', node = machineNode } = {}): Promise<Running> {
    const running = this.#start(script, folder, node)
    await running.printed(ready)
    return running
  }

  async remove(): Promise<void> {
    await Promise.all(this.#running.map((it) => it.stop()))
    // Nothing waits for it: on a busy machine, 80,000 files take a minute.
    spawn('rm', ['-rf', ...this.#folders], { detached: true, stdio: 'ignore' }).unref()
  }

  #start(script: string, folder: string, node: string): Running {
    const cwd = resolve(this.folder, folder)
    // A session of its own, as of another terminal.
    const child = spawn('bash', ['-c', script], { cwd, env: environment(node), detached: true })
    const running = new Running(child)
    this.#running.push(running)
    return running
  }
}

/** A script that runs. */
class Running {
  text = ''
  readonly child: ChildProcess

  constructor(child: ChildProcess) {
    this.child = child
    for (const stream of [child.stdout, child.stderr])
      stream?.setEncoding('utf8').on('data', (chunk: string) => {
        this.text += chunk
      })
  }

  async printed(pattern: RegExp): Promise<void> {
    for (const end = Date.now() + RUN_MS; !pattern.test(this.text); await setTimeout(50))
      if (this.child.exitCode !== null || Date.now() > end)
        throw new Error(`it did not print ${pattern}:\n${this.text}`)
  }

  /** Sends Ctrl-C, and waits for the end. If it takes too long, ends the whole session: pnpm gives each script a process group. */
  async stop(): Promise<void> {
    const { pid = 0, exitCode, signalCode } = this.child
    if (exitCode !== null || signalCode !== null) return
    process.kill(-pid, 'SIGINT')
    await once(this.child, 'exit', { signal: AbortSignal.timeout(STOP_MS) }).catch((error) => {
      execFileSync('pkill', ['-KILL', '-s', String(pid)])
      throw error
    })
  }
}

function environment(node: string): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(([name]) => !own.test(name))
  return {
    ...Object.fromEntries(kept),
    PATH: [dirname(node), ...outside].join(delimiter),
    npm_config_prefer_offline: 'true',
    // It takes what this tree has built of the same files, which this tree's tests need anyway.
    TURBO_CACHE_DIR: join(
      git('rev-parse', '--path-format=absolute', '--git-common-dir').trim(),
      '../.turbo/cache',
    ),
    TURBO_CACHE: 'local:r',
  }
}

function git(...args: string[]): string {
  return execFileSync('git', args, { cwd: ROOT, encoding: 'utf8' })
}

/** What the first line of a program that has a comment prints. */
export function commentOf(program: string): string {
  return /console\.log\(.*\) \/\/ (.*)/.exec(program)?.[1] ?? ''
}

/** The programs and commands of a page. */
export function blocksOf(page: string): string[] {
  return [...page.matchAll(/^```(?:sh|ts)\n(.*?)^```/gms)].map(([, block = '']) => block)
}
