import { fileURLToPath } from 'node:url'
import { freePort, Program } from '@partner-payments/bench'
import { check, createFetchTransport, type Transport } from '../src/index.ts'
import type { Wrong } from '../test/mutants/index.ts'
import { other, partner } from '../test/service.ts'
import type { Target } from './target.ts'

/** Says whether a mutant that is planted in the service now is noticed. */
export interface Peer {
  readonly name: string
  notices(mutant: Wrong): Promise<boolean>
  close(): unknown
}

const ROOT = fileURLToPath(new URL('../../..', import.meta.url))

/**
 * Prism's proxy on the traffic of the checker itself, for the rules and the operation concerned:
 * noticed is a violation that it does not report for the same traffic without the mutant. If the
 * checker breaks a request on purpose, a success counts as reported, though Prism does not say so
 * itself.
 */
export async function startPrism(target: Target): Promise<Peer> {
  const port = await freePort()
  const args = [`${ROOT}/scripts/prism.ts`, 'proxy', target.url, '--port', String(port)]
  const proxy = new Program(process.execPath, args)
  const url = `http://127.0.0.1:${port}`
  await proxy.printed(/listening/)
  return {
    name: "Prism's proxy",
    async notices(mutant) {
      await target.plant(undefined)
      const before = await violationsOf(url, mutant.places[0])
      await target.plant(mutant)
      const after = await violationsOf(url, mutant.places[0])
      return [...after].some((violation) => !before.has(violation))
    },
    close: () => proxy.stop(),
  }
}

/** The violations that Prism reports for the traffic of a run. */
async function violationsOf(url: string, operation: string): Promise<Set<string>> {
  const violations = new Set<string>()
  const inner = createFetchTransport((request) => {
    const { pathname, search } = new URL(request.url)
    return fetch(new Request(url + pathname + search, request), {
      redirect: 'manual',
      // It never responds to some requests, and the checker would wait for them.
      signal: AbortSignal.timeout(1_000),
    })
  })
  const transport: Transport = async (call, signal) => {
    const response = await inner(call, signal)
    // The first segments are those of all records of a kind.
    const place = call.path.split('/').slice(0, 6).join('/')
    for (const violation of violationsIn(response))
      violations.add(`${call.method} ${place} ${violation}`)
    return response
  }
  const operations = operation === 'deliveries' ? {} : { operations: [operation] }
  await check({
    url,
    target: 'sandbox',
    credentials: partner,
    other,
    timeMs: 500,
    transport,
    only: PLANS,
    ...operations,
  })
  return violations
}

/** Plans whose requests Prism can judge one by one. */
const PLANS = ['examples', 'breaks', 'boundaries']

function violationsIn({ status, headers, text }: Awaited<ReturnType<Transport>>): string[] {
  const violations = reportedIn(headers)
  const inResponse = violations.filter(({ location }) => location[0] === 'response')
  const inRequest = violations.filter(({ location }) => location[0] === 'request')
  const counted = [...inResponse]
  // A service that refuses an invalid request is right.
  if (status < 300) counted.push(...inRequest)

  const texts = counted.map(({ location, code }) => `${location.join('.')} ${code}`)
  const isRefusedByPrism = text.includes('stoplight.io/prism/errors')
  return isRefusedByPrism ? ['refused by Prism', ...texts] : texts
}

/** A violation, as Prism writes it. */
interface Violation {
  readonly location: readonly string[]
  readonly code: string
}

function reportedIn(headers: Awaited<ReturnType<Transport>>['headers']): readonly Violation[] {
  const reported: unknown = JSON.parse(String(headers['sl-violations'] ?? '[]'))
  return Array.isArray(reported) ? reported : []
}

/**
 * The Arazzo workflows of the contract, run by redocly respect: noticed is an exit code other than
 * 0.
 */
export function createRespect(target: Target): Peer {
  return {
    name: 'redocly respect',
    async notices(mutant) {
      await target.plant(mutant)
      const flows = [`${ROOT}/scripts/flows.ts`, '--target', target.url]
      const { code } = await new Program(process.execPath, flows).ended
      return code !== 0
    },
    close: () => {},
  }
}
