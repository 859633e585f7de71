import { readContract, requireOperations } from '../contract/contract.ts'
import { isOfForm } from '../form/given-form.ts'
import { CREATION_WITH_MODALITIES, takeModalityWords } from '../form/modality-words.ts'
import { ServiceForm } from '../form/service-form.ts'
import { requireEffect } from '../form/settable.ts'
import { LAG_MS } from '../model.ts'
import { baseOf, type CheckOptions } from '../options.ts'
import type { Plan } from '../plans/plan.ts'
import type { Timer } from '../send/limits.ts'
import { choosePlansAndRules } from './choose-plans.ts'

/** The options of a run, with those that only tests set. */
export interface RunOptions extends CheckOptions {
  /** Default: all. */
  readonly plans?: readonly Plan[]
  /** Milliseconds by which a list may lag behind a write. Default: 5,000. */
  readonly lagMs?: number
  /** Whether independent requests are sent side by side. Default: if responses take long. */
  readonly isSideBySide?: boolean
  /** What spaces requests, and waits after a 429. Default: the time of this machine. */
  readonly timer?: Timer
}

/** Requests per second to a live service. */
const LIVE_RATE = 10

export type Settings = ReturnType<typeof createSettings>

/**
 * Completes the options of a run with their defaults, its contract, and the plans and rules that it uses.
 * Splits the values of `--set` into those for requests, and those that say how the service writes things.
 *
 * @throws {TypeError} if an option names an operation or a place that there is not
 * @throws {ContractError} if the contract cannot be read
 */
export function createSettings(options: RunOptions) {
  const { target = 'live', only, operations, values = {} } = options
  const contract = readContract(options.contract)
  requireOperations(operations ?? [], contract)
  // Such as `checkKey`, whose values are for requests, and `webhook` or `list`, which are of the form of the service.
  const valuesByName = Object.entries(values)
  const requestValues = Object.fromEntries(valuesByName.filter(([name]) => !isOfForm(name)))
  const formValues = Object.fromEntries(valuesByName.filter(([name]) => isOfForm(name)))
  const base = baseOf(options.url)
  const form = new ServiceForm(formValues, base)
  requireEffect(values, contract)

  const creation = CREATION_WITH_MODALITIES
  const valuesOfCreation = takeModalityWords(requestValues[creation] ?? {}, {
    example: contract.examples(creation)[0],
    words: form.modalityWords,
  })
  return {
    options,
    target,
    contract,
    operations,
    values: { ...requestValues, [creation]: valuesOfCreation },
    form,
    ...choosePlansAndRules(only, options.plans),
    base,
    isComplete: options.isComplete ?? target === 'sandbox',
    rate: options.rate ?? (target === 'live' ? LIVE_RATE : undefined),
    seed: options.seed ?? 1,
    timeMs: options.timeMs ?? 20_000,
    lagMs: options.lagMs ?? LAG_MS,
  }
}
