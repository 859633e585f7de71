// A server to be measured, in a process of its own: node server.ts <bare | prism | sqlite [file] | postgres <url>>.
// Prints its URL; exits when its standard input ends.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startBare } from '@partner-payments/bench/bare'
import { serve as serveMock } from '@partner-payments/mock'
import { serve } from '../src/index.ts'

async function sandbox(where: { file?: string; databaseUrl?: string | undefined }): Promise<string> {
  // A run registers more webhooks than a partner may have.
  const unlimited = { limitsRates: false, maxWebhooks: Number.POSITIVE_INFINITY }
  return (await serve({ ...where, ...unlimited, port: 0, allowLoopback: true, ownsProcess: true })).url
}

function newFile(): string {
  const folder = mkdtempSync(join(tmpdir(), 'sandbox-bench-'))
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
  return join(folder, 'state.db')
}

const [kind = '', place] = process.argv.slice(2)
const starts: Record<string, () => Promise<string>> = {
  bare: startBare,
  prism: async () => (await serveMock({ port: 0 })).url,
  sqlite: () => sandbox({ file: place ?? newFile() }),
  postgres: () => sandbox({ databaseUrl: place }),
}
const start = starts[kind]
if (!start) throw new Error(`expected ${Object.keys(starts).join(' or ')}, got "${kind}"`)
console.log(await start())
process.stdin.on('end', () => process.exit(0)).resume()
