import { useQuery } from '@tanstack/react-query'
import type { Settlement } from '../settlements.ts'
import { json } from './backEnd.ts'

const EVERY_MS = 1000
const MOST_REQUESTS = 60

/** Asks the back end once a second, for a minute, how a transfer ended. The back end learns it from a webhook. */
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
