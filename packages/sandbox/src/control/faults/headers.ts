/** The values of the header `x-sandbox-fault`. */
export const FAULT_HEADERS = [
  'status=400 to 599',
  'latency=0 to 60000',
  'lose-response',
  'reset',
  'slow-body=0 to 60000',
] as const
