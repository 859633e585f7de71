import { randomBytes } from 'node:crypto'
import { readContract } from './contract/contract.ts'
import { examples } from './plans/examples.ts'
import type { Plan } from './plans/plan.ts'
import { createReader, type Reader } from './read.ts'
import type { GuardOptions } from './send/guard.ts'
import { createIdentities, type IdentityOptions } from './send/identities.ts'
import { createSend, type Send } from './send/sender.ts'
import type { Transport } from './send/transport.ts'

export interface RunOptions extends GuardOptions, IdentityOptions {
  readonly transport: Transport
  /** Default: all. */
  readonly plans?: readonly Plan[]
  /** Whether nobody else writes to the service. Default: for a sandbox. */
  readonly isComplete?: boolean
  readonly signal?: AbortSignal
}

export type RunResult = ReturnType<Reader['summary']> & {
  readonly requests: number
  /** Rules that a plan wanted a case of, and that had none. */
  readonly inconclusive: readonly string[]
  /** Why requests were not sent. */
  readonly kept: readonly string[]
  /** Paths of records that could not be removed. */
  readonly leftovers: readonly string[]
}

const allPlans: readonly Plan[] = [examples]

/** Runs plans on a service, one after the other, while the rules read what happens. */
export async function run(options: RunOptions): Promise<RunResult> {
  const { transport, target, plans = allPlans, isComplete = target === 'sandbox' } = options
  const contract = readContract()
  const kept = new Set<string>()
  let requests = 0
  const identities = createIdentities(options, (...all) => send(...all))
  const reader = createReader({ contract, isComplete, credentials: identities.credentials })
  const send: Send = createSend({
    ...options,
    contract,
    history: reader.history,
    signal: options.signal ?? new AbortController().signal,
    authorization: identities.authorization,
    onKept: (reason) => kept.add(reason),
    transport: (...all) => {
      requests++
      return transport(...all)
    },
  })
  for (const plan of plans) if (!options.signal?.aborted) await plan.run({ send, contract, fresh })
  const leftovers = await send.cleanUp()
  const summary = reader.summary()
  const wanted = new Set(plans.flatMap(({ wants }) => wants))
  const inconclusive = [...wanted].filter((rule) => !summary.cases.has(rule))
  return { ...summary, requests, inconclusive, kept: [...kept], leftovers }
}

function fresh(length = 30): string {
  return randomBytes(length).toString('hex').slice(0, length).toUpperCase()
}
