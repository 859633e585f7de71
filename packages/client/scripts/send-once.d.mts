import type { createPayments } from '../src/index.ts'

export function sendOnce(
  create: typeof createPayments,
  origin: string,
  scenarios: readonly string[],
): Promise<Record<string, string>>
