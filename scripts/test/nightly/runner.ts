import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { Program } from '@partner-payments/programs'
import { parse } from 'yaml'
import { machineNode, outside } from '../terminal.ts'

const ROOT = join(import.meta.dirname, '../../..')
/** What GitHub downloads, as far as the action may use it: nothing is installed there. */
const DOWNLOADED = [
  'action.yml',
  'scripts/action.ts',
  'scripts/package.json',
  'packages/cli/package.json',
]

interface Action {
  readonly inputs: Readonly<Record<string, object>>
  readonly outputs: Readonly<Record<string, { readonly value: string }>>
  readonly runs: {
    readonly steps: readonly {
      id?: string
      if?: string
      run?: string
      env?: Record<string, string>
    }[]
  }
}

/**
 * Runs `action.yml` of this repository as the runner of GitHub does, in an empty workspace and with
 * the Node of the machine.
 */
export class Runner {
  readonly #folder = mkdtempSync(join(tmpdir(), 'runner-'))
  readonly #action = join(this.#folder, 'action')
  readonly #workspace = join(this.#folder, 'workspace')
  readonly #temp = join(this.#folder, 'temp')
  readonly #servers: number[] = []
  /** The folders of `PATH` for the next step. */
  readonly path = [dirname(machineNode), ...outside]
  readonly #host: string

  /** @param host serves the releases of `owner/repository` */
  constructor(host: string) {
    this.#host = host
    for (const file of DOWNLOADED) cpSync(join(ROOT, file), join(this.#action, file))
    for (const folder of [this.#workspace, this.#temp]) mkdirSync(folder)
  }

  get action(): Action {
    return parse(readFileSync(join(this.#action, 'action.yml'), 'utf8'))
  }

  /** What one `uses:` does: the outputs of the action, the job summary, and what it printed. */
  async use(inputs: Readonly<Record<string, string>>) {
    const { inputs: declared, runs, outputs } = this.action
    const contexts = contextsOf(Object.keys(declared), inputs)
    let code = 0
    let text = ''
    let summary = ''
    for (const { id, if: condition = '', run, env = {} } of runs.steps) {
      if (code !== 0 && !condition.startsWith('always()')) continue

      if (run === undefined) {
        // The only action that it uses sets up Node 24.
        this.path.unshift(dirname(process.execPath))
        continue
      }

      const step = await this.#run(run, env, contexts)
      if (code === 0) code = step.code
      text += step.text
      summary += step.summary
      for (const [name, value] of step.outputs) contexts.set(`steps.${id}.outputs.${name}`, value)
    }

    const values: Record<string, string> = {}
    for (const [name, { value }] of Object.entries(outputs))
      values[name] = evaluate(value, contexts)
    const { pid, ...named } = values
    if (pid) this.#servers.push(Number(pid))
    return { code, text, summary, outputs: named }
  }

  /** The end of the job. */
  remove(): void {
    for (const pid of this.#servers) process.kill(pid)
    rmSync(this.#folder, { recursive: true, force: true })
  }

  async #run(
    script: string,
    env: Readonly<Record<string, string>>,
    contexts: ReadonlyMap<string, string>,
  ) {
    const file = (name: string) => join(this.#folder, name)
    for (const name of ['output', 'summary', 'path']) writeFileSync(file(name), '')
    const ownEnv = Object.entries(env).map(([name, value]) => [name, evaluate(value, contexts)])
    // `shell: bash` of a step.
    const args = ['--noprofile', '--norc', '-e', '-o', 'pipefail', '-c', script]
    const running = new Program('bash', args, {
      cwd: this.#workspace,
      env: {
        PATH: this.path.join(delimiter),
        HOME: process.env.HOME,
        npm_config_prefer_offline: 'true',
        GITHUB_ACTION_PATH: this.#action,
        GITHUB_OUTPUT: file('output'),
        GITHUB_PATH: file('path'),
        GITHUB_STEP_SUMMARY: file('summary'),
        GITHUB_SERVER_URL: this.#host,
        RUNNER_TEMP: this.#temp,
        ...Object.fromEntries(ownEnv),
      },
    })
    const { code, stdout, stderr } = await running.ended
    this.path.unshift(...linesOf(file('path')))
    const outputs = linesOf(file('output')).map((line): [string, string] => {
      const [, name = '', value = ''] = /^([^=]*)=(.*)$/.exec(line) ?? []
      return [name, value]
    })
    const summary = readFileSync(file('summary'), 'utf8')
    return { code: code ?? 1, text: stdout + stderr, summary, outputs }
  }
}

/** The names that expressions of the action may use. An input that is not set is empty. */
function contextsOf(
  names: readonly string[],
  inputs: Readonly<Record<string, string>>,
): Map<string, string> {
  const all = Object.fromEntries(names.map((name) => [name, inputs[name] ?? '']))
  const contexts = new Map(Object.entries(all).map(([name, value]) => [`inputs.${name}`, value]))
  contexts.set('toJSON(inputs)', JSON.stringify(all))
  contexts.set('github.action_repository', 'owner/repository')
  return contexts
}

function linesOf(file: string): string[] {
  return readFileSync(file, 'utf8').split('\n').filter(Boolean)
}

/** The value of a text with expressions, which are names of contexts. */
function evaluate(text: string, contexts: ReadonlyMap<string, string>): string {
  return text.replaceAll(/\$\{\{ (.*?) \}\}/g, (_, name) => contexts.get(name) ?? '')
}
