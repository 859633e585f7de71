import { stringAt } from '../contract/json.ts'
import { Bounded } from './bounded.ts'
import type { Exchange } from './exchange.ts'

/** The earlier exchanges whose results a request uses. */
export interface Sources {
  /** The creation and the last check of its payment code, the look-up of its key, or the list of its user. */
  of(exchange: Exchange): readonly Exchange[]
  fold(exchange: Exchange): void
}

/** Codes and look-ups that are remembered. */
const MOST = 2_000

export function createSources(): Sources {
  const known = new Bounded<string, Exchange>(MOST)
  return {
    of: (exchange) => usedKeys(exchange).flatMap((key) => known.get(key) ?? []),
    fold(exchange) {
      for (const key of exchange.outcome === 'accepted' ? issuedKeys(exchange) : []) known.set(key, exchange)
    },
  }
}

function usedKeys({ sent, operation, by }: Exchange): string[] {
  const [emv, initiation] = ['/emv', '/initiation_id'].map((it) => stringAt(sent, it))
  return [
    ...(emv === undefined ? [] : [`created ${emv}`, `checked ${emv}`]),
    ...(initiation === undefined ? [] : [`looked up ${initiation}`]),
    ...(operation?.id === 'getUser' && by ? [`listed ${by.partner}`] : []),
  ]
}

function issuedKeys({ sent, shown, operation, by }: Exchange): string[] {
  const [checked, created, initiation] = [
    stringAt(sent, '/emv'),
    stringAt(shown, '/emv'),
    stringAt(shown, '/initiation_id'),
  ]
  if (operation?.id === 'checkCode') return [`checked ${checked}`]
  if (operation?.id === 'checkKey') return [`looked up ${initiation}`]
  if (operation?.id === 'listUsers') return by ? [`listed ${by.partner}`] : []
  return created !== undefined && operation?.method === 'POST' ? [`created ${created}`] : []
}
