import { execFileSync, spawn } from 'node:child_process'
import { existsSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join, resolve } from 'node:path'
import { Program } from '@partner-payments/programs'

/** Most of it is for an install and builds on a busy machine. */
const RUN_MS = 200_000
const STOP_MS = 20_000

/**
 * The folders of `PATH` but those of this workspace, which brings Node 24: the machine's own, which
 * runs npm, may be older.
 */
export const outside = (process.env.PATH ?? '')
  .split(delimiter)
  .filter((folder) => !folder.includes('node_modules'))

/** The Node of the machine: 20 in CI. */
export const machineNode =
  outside.map((folder) => join(folder, 'node')).find(existsSync) ?? process.execPath

/**
 * What a terminal has: nothing of pnpm, npm or vitest but the registry, and the machine's own Node.
 */
const INNER =
  /^(npm_(?!config_(registry|cache|cafile|userconfig)$)|pnpm_|node|vitest|test$|init_cwd$|ci$)/i

/** Where a script runs, below the folder of the terminal, and with which Node. */
export interface Place {
  readonly folder?: string
  readonly node?: string
}

/** A temporary folder, and scripts that run there as in a terminal of their own. */
export class Terminal {
  readonly folder = mkdtempSync(join(tmpdir(), 'terminal-'))
  readonly #started: Program[] = []
  readonly #env = Object.entries(process.env).filter(([name]) => !INNER.test(name))

  /** @param env further variables */
  constructor(env: Readonly<Record<string, string>> = {}) {
    this.#env.push(...Object.entries(env))
  }

  write(file: string, text: string): void {
    writeFileSync(join(this.folder, file), text)
  }

  start(script: string, { folder = '.', node = machineNode }: Place = {}): Program {
    const PATH = [dirname(node), ...outside].join(delimiter)
    const env = { ...Object.fromEntries(this.#env), PATH, npm_config_prefer_offline: 'true' }
    const cwd = resolve(this.folder, folder)
    const program = new Program('bash', ['-c', script], { cwd, env, detached: true })
    this.#started.push(program)
    return program
  }

  /** Runs a script. Returns what it prints on stdout; rejects if it fails. */
  async run(script: string, { input = '', ...place }: Place & { readonly input?: string } = {}) {
    const program = this.start(script, place)
    program.child.stdin.end(input)
    const late = setTimeout(() => program.stop('SIGKILL'), RUN_MS)
    const { code, stdout, stderr } = await program.ended
    clearTimeout(late)
    if (code !== 0) throw new Error(`${script}\nended with ${code}:\n${stdout}${stderr}`)
    return stdout
  }

  async remove(): Promise<void> {
    await Promise.all(this.#started.map(stop))
    // Nothing waits for it: on a busy machine, 80,000 files take a minute.
    spawn('rm', ['-rf', this.folder], { detached: true, stdio: 'ignore' }).unref()
  }
}

/**
 * Sends Ctrl-C, and waits for the end. If it takes too long, ends the whole session: pnpm gives
 * each script a process group.
 */
async function stop(program: Program): Promise<void> {
  const killSession = () => execFileSync('pkill', ['-KILL', '-s', `${program.child.pid}`])
  const late = setTimeout(killSession, STOP_MS)
  await program.stop('SIGINT')
  clearTimeout(late)
}
