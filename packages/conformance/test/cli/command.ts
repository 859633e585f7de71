import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { vi } from 'vitest'
import { main } from '../../src/cli/main.ts'

/** The result of a command. */
export interface Ran {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

const CLI = fileURLToPath(new URL('../../src/cli.ts', import.meta.url))
/** Compiled sources are cached, because loading them takes most of the time of a short command. */
export const CACHE = fileURLToPath(new URL('../../node_modules/.cache/compile', import.meta.url))

export const CREDENTIALS = { CLIENT_KEY: 'partner', CLIENT_SECRET: 'secret' }

/** Runs the command in a process, in this folder or another. */
export async function command(
  args: readonly string[],
  env: Record<string, string> = CREDENTIALS,
  cwd = '.',
): Promise<Ran> {
  return start(args, env, cwd).ended
}

/** Runs the command in this process, one at a time, because starting a process takes most of the time. */
export async function here(args: readonly string[], env: Record<string, string> = CREDENTIALS): Promise<Ran> {
  const output = { stdout: '', stderr: '' }
  const spies = (['stdout', 'stderr'] as const).map((name) =>
    vi.spyOn(process[name], 'write').mockImplementation((text) => {
      output[name] += text
      return true
    }),
  )
  const around = process.env
  process.env = env
  try {
    return { code: await main(args), ...output }
  } finally {
    process.env = around
    for (const spy of spies) spy.mockRestore()
  }
}

/** Starts the command. */
export function start(
  args: readonly string[],
  env: Record<string, string> = CREDENTIALS,
  cwd = '.',
): { child: ChildProcess; ended: Promise<Ran> } {
  const child = spawn(process.execPath, [CLI, ...args], {
    cwd,
    env: { PATH: process.env.PATH ?? '', NODE_COMPILE_CACHE: CACHE, ...env },
  })
  const output = { stdout: '', stderr: '' }
  for (const name of ['stdout', 'stderr'] as const)
    child[name].setEncoding('utf8').on('data', (text: string) => {
      output[name] += text
    })
  const ended = once(child, 'close').then(([code]) => ({ code: code as number | null, ...output }))
  return { child, ended }
}

/** The stderr output of a run without findings, if it is not a terminal: a line for each phase. */
export const PROGRESS = /^(phase \d+ of 10 \([a-z ]+\), rule \d+ of \d+, \d+ requests, 0 findings, .*\n)+$/
