import type { Contract } from '../model/contract.ts'
import { pathOf } from '../model/exchange.ts'
import type { OperationView } from '../model/operation-view.ts'
import { quoted } from './shell.ts'

/**
 * Commands for a POSIX shell that set what the commands of findings name, of CLIENT_KEY and CLIENT_SECRET; undefined
 * where the contract asks for neither.
 */
export function signInOf(
  { operations, signIn }: Pick<Contract, 'operations' | 'signIn'>,
  base: URL,
): string | undefined {
  if (!operations.some(({ scheme }) => scheme === 'basic')) return undefined
  const credentials = `CREDENTIALS=$(printf %s "$CLIENT_KEY:$CLIENT_SECRET" | base64 | tr -d '\\n')`
  return signIn ? `${credentials}\n${tokenBy(signIn, base)}` : credentials
}

function tokenBy(view: OperationView, base: URL): string {
  const url = quoted(base.href.replace(/\/$/, '') + pathOf(view, {}))
  const asked = `curl -sS -X ${view.method} -H "authorization: Basic $CREDENTIALS" ${url}`
  return `TOKEN=$(${asked} | sed -n 's/.*"access_token" *: *"\\([^"]*\\)".*/\\1/p')`
}
