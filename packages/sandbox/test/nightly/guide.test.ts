import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { openSync, readFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { freePort } from '@partner-payments/programs'
import { expect, inject, test } from 'vitest'
import { newDatabase } from '../backends.ts'

const ROOT = fileURLToPath(new URL('../../../../', import.meta.url))
const CLI = fileURLToPath(new URL('../../src/cli.ts', import.meta.url))
const START = 'npx -y pnpm@12 sandbox'
const guide = readFileSync(join(ROOT, 'docs/guides/sandbox.md'), 'utf8')

const folder = inject('folder')
const OUTPUT = join(folder, 'output')

test('the guide begins with the command that starts this sandbox', () => {
  expect(/^```sh\n(.*)\n```$/m.exec(guide)?.[1]).toBe(START)

  const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))
  expect(scripts.sandbox).toMatch(/ && node (?:--\S+ )?packages\/sandbox\/src\/cli\.ts$/)
})

test('the commands of the guide print what it says', async () => {
  const port = await freePort()
  const second = await freePort()
  const receiver = await freePort()
  const node = process.execPath

  /** What the guide names, with the ports, paths and database of this run. */
  const here = {
    // In its own folder, without an existing state. A later --port takes precedence.
    [START]: `cd ${folder} && DATABASE_URL=$DATABASE_URL exec ${node} ${CLI} --port ${port}`,
    ':4021': `:${second}`,
    ' 4021': ` ${second}`,
    ':4020': `:${port}`,
    ':3000': `:${receiver}`,
    'DATABASE_URL=postgres://user:password@localhost:5432/sandbox \\\n': `DATABASE_URL=${await newDatabase()}; `,
    'npx -y pnpm@12 exec node': node,
  }
  let text = guide
  for (const [named, used] of Object.entries(here)) text = text.replaceAll(named, used)

  const PATH = [join(node, '..'), process.env.PATH].join(delimiter)

  const output = openSync(OUTPUT, 'a')
  const child = spawn('bash', ['-ec', scriptOf(text)], {
    cwd: ROOT,
    env: { ...process.env, PATH, PORT: String(receiver) },
    stdio: ['ignore', output, output],
  })
  const [code] = await once(child, 'exit')
  // A failure shows what the commands printed.
  const printed = code === 0 ? '' : readFileSync(OUTPUT, 'utf8')
  expect({ code, printed }).toEqual({ code: 0, printed: '' })
})

/**
 * The commands of a guide in order. A text block after a command is its output, some of which comes
 * later.
 */
function scriptOf(text: string): string {
  const script = [
    `printed() {
      for i in {1..600}; do sed 's/^ *//' ${OUTPUT} | grep -qxF -- "$1" && return; sleep 0.1; done
      echo "not printed: $1"; false
    }`,
    `trap 'kill $(jobs -p); wait' EXIT`,
  ]

  const steps = text.matchAll(/^```sh\n(.*?)^```$(?:(?:(?!^```).)*?^```text\n(.*?)^```$)?/gms)
  for (const [, command = '', output = ''] of steps) {
    script.push(`: > ${OUTPUT}`)
    // A sandbox runs until the end of the script.
    script.push(command.includes(CLI) ? `(${command.trimEnd()}) &` : command)
    for (const line of output.split('\n')) if (line) script.push(`printed ${quoted(line)}`)
  }
  return script.join('\n')
}

function quoted(line: string): string {
  return `'${line.replaceAll("'", `'\\''`)}'`
}
