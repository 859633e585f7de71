import { findDeclaredList } from '../contract/behaviour.ts'
import { readDefaultNumber } from '../contract/contract.ts'
import type { Exchange } from './exchange.ts'

/**
 * Lists the limits that a page may have: `[20]` of `?limit=20`, or the declared default. A request by a link that names
 * no limit, such as `?page=2`, may have that of the page before, or the default: `[4, 20]`. Empty if the limit is
 * no integer above zero, or the contract declares no pages of the list.
 */
export function listPageLimits(exchange: Exchange): readonly number[] {
  const { operation, request, query } = exchange
  const parameter = findDeclaredList(exchange)?.pages?.limit
  if (!operation || parameter === undefined) return []

  const [, sentText = ''] = request.path.split('?', 2)
  const sentLimit = new URLSearchParams(sentText).get(parameter)
  const defaultLimit = readDefaultNumber(operation, parameter)
  // The query of a linked page has the parameters of the page before.
  const limitBefore = query.get(parameter)

  const limits = sentLimit === null ? [limitBefore ?? defaultLimit, defaultLimit] : [sentLimit]
  const numbers = new Set(limits.map(Number))
  return [...numbers].filter((limit) => Number.isInteger(limit) && limit >= 1)
}
