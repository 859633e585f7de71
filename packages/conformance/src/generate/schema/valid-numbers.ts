import { numbersOf } from './parts.ts'
import type { Place } from './place.ts'

export interface NumberRules {
  readonly min: number
  readonly max: number
  /** The distance between two values: 1 for integers, otherwise 0.01. */
  readonly step: number
}

/** The tightest limits of all schemas. */
export function numberRulesOf(parts: readonly Place[], type: string): NumberRules {
  const all = (keyword: string) => numbersOf(parts, keyword)
  const step = type === 'integer' ? 1 : 0.01
  const min = Math.max(-Infinity, ...all('minimum'), ...all('exclusiveMinimum').map((it) => it + step))
  const max = Math.min(Infinity, ...all('maximum'), ...all('exclusiveMaximum').map((it) => it - step))
  return { min: ceil(min, step), max: floor(max, step), step }
}

/** Candidates, the plainest first. */
export function* validNumbers({ min, max, step }: NumberRules): Generator<number> {
  yield 0
  yield 1
  const start = Number.isFinite(min) ? min : Number.isFinite(max) ? max - 20 * step : 0
  for (let i = 0; i <= 40; i++) yield rounded(start + i * step)
  if (Number.isFinite(max)) yield max
}

/** Removes rounding errors: 0.1 + 0.2 is 0.3. */
export function rounded(number: number): number {
  return Number(number.toPrecision(15))
}

function ceil(number: number, step: number): number {
  return Number.isFinite(number) ? rounded(Math.ceil(rounded(number / step)) * step) : number
}

function floor(number: number, step: number): number {
  return Number.isFinite(number) ? rounded(Math.floor(rounded(number / step)) * step) : number
}
