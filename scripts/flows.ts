/**
 * `pnpm flows [name …] [--target URL] [--client-key K --client-secret S] [--input name=value …]`
 * runs the Arazzo workflows of spec/workflows against a service; by default a mock that it starts itself.
 * Exit codes: 0 all passed, 1 a check failed, 2 the command line is wrong.
 */
import { spawn } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { basename } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { serve } from '@partner-payments/mock'
import contract from '@partner-payments/spec/openapi.json' with { type: 'json' }

const SPEC = fileURLToPath(new URL('../spec', import.meta.url))
const FLOWS = readdirSync(`${SPEC}/workflows`).map((file) => basename(file, '.arazzo.yaml'))

const { target, names, inputs } = readArguments()
const mock = target ? undefined : await serve({ contract, port: 0 })
try {
  process.exitCode = await respect(target ?? mock?.url ?? '', names, inputs)
} finally {
  await mock?.close()
}

function readArguments() {
  try {
    const { values, positionals } = parseArgs({
      allowPositionals: true,
      options: {
        target: { type: 'string' },
        'client-key': { type: 'string', default: 'partner' },
        'client-secret': { type: 'string', default: 'secret' },
        input: { type: 'string', multiple: true, default: [] },
      },
    })
    const unknown = positionals.find((name) => !FLOWS.includes(name))
    if (unknown) throw new Error(`no workflow "${unknown}"; there are ${FLOWS.join(', ')}`)
    const credentials = Buffer.from(`${values['client-key']}:${values['client-secret']}`).toString('base64')
    const inputs = [`credentials=${credentials}`, ...values.input]
    return { target: values.target, names: positionals.length > 0 ? positionals : FLOWS, inputs }
  } catch (error) {
    process.stderr.write(`flows: ${error instanceof Error ? error.message : error}\n`)
    process.exit(2)
  }
}

function respect(url: string, names: readonly string[], inputs: readonly string[]): Promise<number> {
  const files = names.map((name) => `workflows/${name}.arazzo.yaml`)
  const options = [
    '--server',
    `openapi=${url.replace(/\/$/, '')}`,
    ...inputs.flatMap((input) => ['--input', input]),
  ]
  const child = spawn(`${SPEC}/node_modules/.bin/redocly`, ['respect', ...files, ...options], {
    cwd: SPEC,
    stdio: 'inherit',
    env: { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' },
  })
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', (code) => resolve(code ?? 1))
  })
}
