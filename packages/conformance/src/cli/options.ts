import { BOUNDS, isHttpUrl, isMaxAmount, isShard, MAX_SHARDS, strayRule } from '../engine/option-rules.ts'
import type { CheckOptions } from '../engine/options.ts'
import type { Target } from '../model/target.ts'
import { profile } from '../profiles/index.ts'
import { credentialsOf } from './credentials.ts'
import { type Flags, itemsOf, numberOf } from './flags.ts'
import { refuse } from './usage.ts'

/**
 * What the flags and the environment say of a run.
 *
 * @throws {UsageError} where a flag is missing, or not what it must be.
 */
export function optionsOf(
  flags: Flags,
  env: Readonly<Record<string, string | undefined>>,
  contract: object | undefined,
): CheckOptions {
  const only = onlyOf(flags)
  const operations = flags.operation && itemsOf('--operation', flags.operation)
  const shard = shardOf(flags.shard)
  const rate = numberOf('--rate', flags.rate, BOUNDS.rate)
  const responseWithinMs = numberOf('--response-within', flags['response-within'], BOUNDS.responseWithinMs)
  const deliveryWithinMs = numberOf('--delivery-within', flags['delivery-within'], BOUNDS.deliveryWithinMs)
  const seed = numberOf('--seed', flags.seed, BOUNDS.seed)
  const seconds = numberOf('--time', flags.time, SECONDS)
  const receiverPort = numberOf('--receiver-port', flags['receiver-port'], BOUNDS.receiverPort)
  const allowPayments = paymentsOf(flags)
  const values = valuesOf(flags.set)
  return {
    url: flags.target ?? refuse('--target is missing; give the base URL, such as http://127.0.0.1:4020'),
    target: kindOf(flags.kind),
    strict: flags.strict,
    ...credentialsOf(flags, env, contract),
    ...(contract && { contract }),
    ...(only && { only }),
    ...(operations && { operations }),
    ...(shard && { shard }),
    ...(rate !== undefined && { rate }),
    ...(responseWithinMs !== undefined && { responseWithinMs }),
    ...(deliveryWithinMs !== undefined && { deliveryWithinMs }),
    ...(seed !== undefined && { seed }),
    ...(seconds !== undefined && { timeMs: seconds * 1000 }),
    ...(allowPayments && { allowPayments }),
    ...(values && { values }),
    ...(flags.receiver !== undefined && { receiverUrl: receiverOf(flags) }),
    ...(receiverPort !== undefined && { receiverPort }),
  }
}

const SECONDS = { min: BOUNDS.timeMs.min / 1000, max: BOUNDS.timeMs.max / 1000 }

function kindOf(kind: string): Target {
  if (kind === 'mock' || kind === 'sandbox' || kind === 'live') return kind
  return refuse(`--kind must be mock, sandbox or live, got "${kind}"`)
}

function onlyOf({ only }: Flags): string[] | undefined {
  if (!only) return undefined
  const items = itemsOf('--only', only)
  const stray = strayRule(profile.rules, items)
  if (stray !== undefined)
    refuse(`--only names "${stray}", which is neither a rule nor a phase; see --list-rules`)
  return items
}

function shardOf(given: string | undefined): { i: number; n: number } | undefined {
  if (given === undefined) return undefined
  const [, i = 0, n = 0] = (/^(\d{1,3})\/(\d{1,3})$/.exec(given) ?? []).map(Number)
  return isShard({ i, n })
    ? { i, n }
    : refuse(
        `--shard must be a part and how many there are, ${MAX_SHARDS} at most, such as 1/3, got "${given}"`,
      )
}

function paymentsOf(flags: Flags): { maxAmount: string } | undefined {
  const { 'allow-payments': isAllowed, 'max-amount': maxAmount } = flags
  if (!isAllowed && maxAmount === undefined) return undefined
  if (!isAllowed) return refuse('--max-amount does nothing without --allow-payments; give both, or neither')
  if (maxAmount === undefined) return refuse('--allow-payments needs --max-amount, such as 1.00')
  if (isMaxAmount(maxAmount)) return { maxAmount }
  return refuse(`--max-amount must have two decimals and be above 0.00, got "${maxAmount}"`)
}

function receiverOf({ receiver: url = '', 'receiver-port': port }: Flags): string {
  const isUrl = isHttpUrl(url)
  if (isUrl && port === undefined && new URL(url).port === '')
    refuse(`--receiver ${url} names no port, so --receiver-port must say which of this machine it leads to`)
  if (isUrl) return url
  return refuse(`--receiver must be a URL at which the service reaches this machine, got "${url}"`)
}

type Values = NonNullable<CheckOptions['values']>

function valuesOf(given: readonly string[] | undefined): Values | undefined {
  if (!given) return undefined
  const values: Record<string, Record<string, unknown>> = {}
  for (const it of given) {
    const [, operation = '', pointer = '', mark, value = ''] =
      /^([^/=]+)(\/[^=]*?)(:?=)(.*)$/s.exec(it) ??
      refuse(`--set must be OPERATION/POINTER=TEXT or OPERATION/POINTER:=JSON, got "${it}"`)
    values[operation] = { ...values[operation], [pointer]: mark === '=' ? value : jsonOf(it, value) }
  }
  return values
}

function jsonOf(given: string, value: string): unknown {
  try {
    return JSON.parse(value)
  } catch {
    return refuse(`--set ${given}: what follows := must be JSON`)
  }
}
