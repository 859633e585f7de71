import { type Contract, readContract } from '../run/contract.ts'
import { below, nodeOf } from '../run/document.ts'
import { ownContract, ownRegister } from '../run/own.ts'
import type { Register } from '../run/verdicts.ts'

/** What traffic is judged by. */
export interface Source {
  readonly contract: Contract
  readonly register: Register
}

/** A contract that was given, or our own with its open questions. */
export async function sourceOf(given: object | undefined): Promise<Source> {
  if (given) return { contract: readContract(given), register: {} }
  return { contract: readContract(await ownContract()), register: await ownRegister() }
}

/**
 * The base URL of a service: given, or that of the contract's first server (OpenAPI 3.1, "Server Object").
 *
 * @throws {TypeError} where it is no absolute URL.
 */
export function baseUrlOf({ document }: Contract, given: string | undefined): URL {
  const server = nodeOf(document.at(below('', 'servers', '0')))
  const shown = String(server.url ?? '').replaceAll(/\{([^}]*)\}/g, (_, name: string) =>
    String(nodeOf(nodeOf(server.variables)[name]).default ?? ''),
  )
  const url = given ?? shown
  if (URL.canParse(url)) return new URL(url)
  throw new TypeError(`the base URL must be absolute, such as http://127.0.0.1:4020, got "${url}"`)
}

/** The path and query of a URL below a base; undefined of what is elsewhere. */
export function pathBelow(base: URL, url: string): string | undefined {
  if (!URL.canParse(url)) return undefined
  const { origin, pathname, search } = new URL(url)
  const prefix = base.pathname.replace(/\/$/, '')
  if (origin !== base.origin || !`${pathname}/`.startsWith(`${prefix}/`)) return undefined
  return (pathname.slice(prefix.length) || '/') + search
}
