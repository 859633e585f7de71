import { openService, type Service } from '../services/service.ts'
import { ask, before, changeResponse, changeSuccess, refuse, type Wrap, within } from '../services/wrap.ts'
import { access } from './access.ts'
import { charges } from './charges.ts'
import { codes } from './codes.ts'
import { deliveries } from './deliveries.ts'
import { lists } from './lists.ts'
import type { Mutant, Mutants } from './tools.ts'
import { transfers } from './transfers.ts'
import { webhooks } from './webhooks.ts'

const tables: Mutants = {
  ...access,
  ...codes,
  ...transfers,
  ...charges,
  ...lists,
  ...webhooks,
  ...deliveries,
}

/** Services that are wrong in one way, written without reading the rules of the checker. */
export const mutants = mutantsOf(tables)

export function mutantsOf(all: Mutants): readonly Mutant[] {
  return Object.entries(all).flatMap(([operation, own]) =>
    // The tables are by operation.
    Object.entries(own).map(([says, it]) => ({ ...it, says, operation: operation as Mutant['operation'] })),
  )
}

/** Opens a sandbox in memory with a mutant. */
export function openMutant(mutant: Mutant): ReturnType<typeof openService> {
  const { state = [], relay } = mutant
  const prepare: Service['prepare'] = async ({ run }) => {
    for (const sql of state) await run(sql)
  }
  return openService({ wrap: wrapOf(mutant), relay, prepare })
}

/** The wrap of a mutant, from any of its forms. */
function wrapOf({ operation, wrap, handle, request, success, response, call, ...own }: Mutant) {
  if (wrap || operation === 'deliveries') return wrap
  const all: (Wrap | undefined)[] = [
    handle && within(operation, handle),
    request && ask(operation, request),
    success && changeSuccess(operation, success),
    response && changeResponse(operation, response),
    call && before(operation, call),
    own.refuse && refuse(operation, ...own.refuse),
  ]
  return all.find((it) => it !== undefined)
}

/** Whether a finding is where the mutant is wrong. */
export function isNamed(
  { operation, also = [] }: Mutant,
  findings: readonly { readonly rule: string; readonly operation: string | undefined }[],
): boolean {
  const places: readonly string[] = [operation, ...also]
  return findings.some(({ rule, operation: at = '' }) =>
    operation === 'deliveries' ? rule.startsWith('deliveries-') || at.startsWith('on') : places.includes(at),
  )
}
