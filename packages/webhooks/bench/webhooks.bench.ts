import { type Bench, bundledSizes, callsPerSecond, type Row, rowsOf } from '@partner-payments/bench'
import { Webhook as Official } from 'standardwebhooks'
import { Webhook as Svix } from 'svix'
import { generateSecret, sign, verify } from '../src/index.ts'

const ours = '@partner-payments/webhooks'
const secret = generateSecret()
const official = new Official(secret)
const svix = new Svix(secret)
const id = 'msg_2N8bYqQ1mWcXkZr7VtHs4L'

/**
 * Measures verified and signed deliveries per second, of 1 kB and of 20 kB (the maximum that the
 * standard recommends), and the bundle size. One at a time measures the latency; 16 in flight the
 * throughput of a busy server.
 */
export const bench: Bench = {
  title: 'webhooks: sign and verify',
  async run() {
    return [
      ...(await speedsOf(1000)),
      ...(await speedsOf(20_000)), // The maximum that the standard recommends.
      ...(await sizes()),
    ]
  },
}

async function speedsOf(length: number): Promise<Row[]> {
  const body = Buffer.from(JSON.stringify({ type: 'qrcode.paid', data: 'x'.repeat(length - 32) }))
  const headers = {
    host: 'localhost',
    'content-type': 'application/json',
    ...(await sign(body, secret, { id })),
  }
  const now = new Date()
  const verifiers = {
    [ours]: () => verify(body, headers, secret),
    standardwebhooks: () => official.verify(body, headers),
    // Since its version 2, svix verifies without parsing.
    svix: () => [svix.verify(body, headers), JSON.parse(body.toString())],
  }
  const signers = {
    [ours]: () => sign(body, secret, { id }),
    standardwebhooks: () => official.sign(id, now, body),
    svix: () => svix.sign(id, now, body),
  }
  const size = `${length / 1000} kB`
  return [
    ...rowsOf(`verify ${size}, one at a time`, '/s', await callsPerSecond(verifiers, 1)),
    ...rowsOf(`verify ${size}, 16 in flight`, '/s', await callsPerSecond(verifiers, 16)),
    ...rowsOf(`sign ${size}, one at a time`, '/s', await callsPerSecond(signers, 1)),
    ...rowsOf(`sign ${size}, 16 in flight`, '/s', await callsPerSecond(signers, 16)),
  ]
}

async function sizes(): Promise<Row[]> {
  const sources = {
    [ours]: "export { sign, verify } from '../src/index.ts'",
    standardwebhooks: "export { Webhook } from 'standardwebhooks'",
    svix: "export { Webhook } from 'svix'",
  }
  const values = await bundledSizes(sources, import.meta.dirname)
  return rowsOf('sign and verify, minified and gzipped', 'B', values)
}
