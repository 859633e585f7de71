import { useEffect, useState } from 'react'
import type { Activity } from '../shared/payment.ts'

/** Calls the back end: a GET, or a POST with a value. The message of an error is for a person. */
export async function call<Result>(path: string, value?: string): Promise<Result> {
  const init = value === undefined ? {} : postOf(value)
  const response = await fetch(path, init).catch(() => {
    throw new Error('No connection. You can try again: nothing is paid twice.')
  })
  const body = await response.json().catch(() => ({}))
  if (response.ok) return body
  throw new Error(body.message ?? `The server returned ${response.status}. Try again in a moment.`)
}

function postOf(value: string): RequestInit {
  return {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ value }),
  }
}

/** What the back end knows, as it changes. The browser connects again by itself. */
export function useActivity() {
  const [activity, setActivity] = useState<Activity>()
  const [isLive, setLive] = useState(false)
  useEffect(() => {
    const source = new EventSource('/api/live')
    source.addEventListener('activity', ({ data }) => setActivity(JSON.parse(data)))
    source.onopen = () => setLive(true)
    source.onerror = () => setLive(false)
    return () => source.close()
  }, [])
  return { activity, isLive }
}
