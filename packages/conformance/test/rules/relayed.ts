import { serve } from '@partner-payments/sandbox'
import { check } from '../../src/check.ts'
import { listen } from '../faulty/listen.ts'
import type { Posted } from '../faulty/relay.ts'
import { type Started, startFaulty } from '../faulty/start.ts'
import type { Relay } from '../faulty/world.ts'
import { openWorld } from '../faulty/world.ts'
import type { Seen } from './held.ts'

/**
 * Runs one rule against the right sandbox over HTTP, or against a copy of it that has a fault, or whose deliveries go
 * through a relay: deliveries go by socket.
 */
export function runOf(rule: string): (fault?: string | Relay) => Promise<Seen> {
  return async (fault) => {
    const started = await start(fault)
    try {
      return await seen(rule, started.url, fault === undefined ? undefined : 3_000)
    } finally {
      await started.close()
    }
  }
}

function start(fault: string | Relay | undefined): Promise<Started> {
  if (fault === undefined) return serve({ port: 0, allowLoopback: true, limitsRates: false })
  return typeof fault === 'string' ? startFaulty(fault) : startRelayed(fault)
}

/** The right sandbox, with something between it and the receivers of its deliveries. */
async function startRelayed(relay: Relay): Promise<Started> {
  const world = await openWorld()
  world.relay = relay
  const { url, close } = await listen(world.app.fetch)
  return {
    url,
    async close() {
      await close()
      await world.close()
    },
  }
}

/** Sends every delivery twice, the second time with a change. */
export function twice(change: (posted: Posted) => Posted = (it) => it): Relay {
  return async (posted, send) => {
    await send(posted)
    return send(change(posted))
  }
}

/** The same delivery under another id, as if it were of another event. */
export function ofAnotherId(posted: Posted): Posted {
  return { ...posted, headers: { ...posted.headers, 'webhook-id': `${posted.headers['webhook-id']}_2` } }
}

async function seen(rule: string, url: string, deliveryWithinMs = 8_000): Promise<Seen> {
  const credentials = { clientKey: 'partner', clientSecret: 'secret' }
  const other = { clientKey: 'other', clientSecret: 'secret' }
  const { rules, findings } = await check({
    url,
    target: 'sandbox',
    credentials,
    other,
    only: [rule],
    deliveryWithinMs,
  })
  const found = findings.map((it) => `${it.kind} ${it.rule} ${it.operation ?? 'all'}`)
  return { status: rules.find((it) => it.rule === rule)?.status, found: [...new Set(found)] }
}
