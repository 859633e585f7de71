import { serve } from '@partner-payments/sandbox'
import { check } from '../../src/run/check.ts'
import { startFaulty } from '../faulty/start.ts'
import type { Seen } from './held.ts'

/** Runs one law against the right sandbox over HTTP, or against the copy of it that has a fault: deliveries go by socket. */
export function runOf(law: string): (fault?: string) => Promise<Seen> {
  return async (fault) => {
    const started = fault ? await startFaulty(fault) : await right()
    try {
      return await seen(law, started.url)
    } finally {
      await started.close()
    }
  }
}

function right() {
  return serve({ port: 0, allowLoopback: true, limitsRates: false })
}

async function seen(law: string, url: string): Promise<Seen> {
  const credentials = { clientKey: 'partner', clientSecret: 'secret' }
  const other = { clientKey: 'other', clientSecret: 'secret' }
  const { laws, findings } = await check({ url, target: 'sandbox', credentials, other, only: [law] })
  const found = findings.map((it) => `${it.kind} ${it.law} ${it.operation ?? 'all'}`)
  return { status: laws.find((it) => it.law === law)?.status, found: [...new Set(found)] }
}
