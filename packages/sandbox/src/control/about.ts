import { readNonce, SERVICES } from '@partner-payments/contract'
import manifest from '../../package.json' with { type: 'json' }
import { isIssued } from '../auth/tokens.ts'
import { describeClock } from './clock.ts'
import type { StateSources } from './state.ts'

/**
 * What `GET /_sandbox/about` returns: the facts by which programs recognize a sandbox before they
 * pay or reset anything. With a token, `issued_token` says whether this sandbox issued it: behind a
 * gateway, payments may reach another service than this request did.
 */
export async function describeSandbox(
  { clock, context }: Pick<StateSources, 'clock' | 'context'>,
  { url, headers }: Request,
) {
  const { now, frozen } = describeClock(clock)
  const nonce = readNonce(new URL(url))
  const about = { service: SERVICES.sandbox, version: manifest.version, now, frozen, nonce }
  const authorization = headers.get('authorization')
  if (authorization === null) return about

  return { ...about, issued_token: await isIssued(context, authorization) }
}
