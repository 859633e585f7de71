import type { Contract } from './contract.ts'
import { pathOf } from './exchange.ts'
import { quoted } from './shell.ts'

/**
 * Commands for a POSIX shell that set what the commands of findings name, of CLIENT_KEY and CLIENT_SECRET; undefined
 * where the contract has no operation that signs in.
 */
export function signInOf({ operations }: Pick<Contract, 'operations'>, base: URL): string | undefined {
  const view = operations.find(({ scheme }) => scheme === 'basic')
  if (!view) return undefined
  const url = quoted(base.href.replace(/\/$/, '') + pathOf(view, {}))
  const asked = `curl -sS -X ${view.method} -H "authorization: Basic $CREDENTIALS" ${url}`
  return [
    `CREDENTIALS=$(printf %s "$CLIENT_KEY:$CLIENT_SECRET" | base64 | tr -d '\\n')`,
    `TOKEN=$(${asked} | sed -n 's/.*"access_token" *: *"\\([^"]*\\)".*/\\1/p')`,
  ].join('\n')
}
