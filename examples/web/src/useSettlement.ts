import { useQuery } from '@tanstack/react-query'
import type { Settlement } from '../settlements.ts'
import { json } from './backEnd.ts'

const EVERY_MS = 1000
const MOST_REQUESTS = 60

/** How a transfer ended: asks the back end, which a webhook tells, once a second for a minute. */
export function useSettlement(transferId: string | undefined): Settlement | undefined {
  const { data } = useQuery({
    queryKey: ['settlement', transferId],
    queryFn: () => json<Settlement | null>(`/payments/${transferId}`),
    enabled: transferId !== undefined,
    retry: false,
    refetchInterval({ state: { data, dataUpdateCount, errorUpdateCount } }) {
      return data || dataUpdateCount + errorUpdateCount >= MOST_REQUESTS ? false : EVERY_MS
    },
  })
  return data ?? undefined
}
