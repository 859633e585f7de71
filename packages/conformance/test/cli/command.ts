import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

/** What a command did. */
export interface Ran {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

const CLI = fileURLToPath(new URL('../../src/cli.ts', import.meta.url))

export const CREDENTIALS = { CLIENT_KEY: 'partner', CLIENT_SECRET: 'secret' }

/** Runs the command to its end, in this folder or another. */
export async function command(
  args: readonly string[],
  env: Record<string, string> = CREDENTIALS,
  cwd = '.',
): Promise<Ran> {
  return start(args, env, cwd).ended
}

/** Starts the command. */
export function start(
  args: readonly string[],
  env: Record<string, string> = CREDENTIALS,
  cwd = '.',
): { child: ChildProcess; ended: Promise<Ran> } {
  const child = spawn(process.execPath, [CLI, ...args], {
    cwd,
    env: { PATH: process.env.PATH ?? '', ...env },
  })
  const output = { stdout: '', stderr: '' }
  for (const name of ['stdout', 'stderr'] as const)
    child[name].setEncoding('utf8').on('data', (text: string) => {
      output[name] += text
    })
  const ended = once(child, 'close').then(([code]) => ({ code: code as number | null, ...output }))
  return { child, ended }
}
