import type { CheckedCode } from '@partner-payments/client'
import { useRef, useState } from 'react'
import { mayPayAgain, outcomeOf, transferWords, type Words } from './outcome.ts'
import { useSettlement } from './useSettlement.ts'

interface State {
  readonly phase: 'ready' | 'paying' | 'done'
  readonly words?: Words
  /** Of a transfer that was accepted and is not settled. */
  readonly pending?: string | undefined
}

/** Pays a checked code once, and reports the outcome. */
export function usePayment(code: CheckedCode, onUnsure: (words: Words) => void) {
  const [{ pending, ...state }, setState] = useState<State>({ phase: 'ready' })
  const settlement = useSettlement(pending)
  // The client sends no second payment either; but its refusal would be shown in place of the outcome of the first.
  const busy = useRef(false)

  async function pay(amount?: string) {
    if (busy.current) return
    busy.current = true
    setState({ phase: 'paying' })
    // No amount is refused: nothing is paid that nobody has typed.
    const call = code.allow_value_change ? code.pay({ amount: amount ?? '' }) : code.pay()
    const outcome = await call.result()
    busy.current = !mayPayAgain(outcome)
    const words = outcomeOf(outcome)
    if (words.tone === 'unsure') onUnsure(words)
    const pending = outcome.ok && outcome.data.status === 'pending' ? outcome.data.id : undefined
    setState({ phase: busy.current ? 'done' : 'ready', words, pending })
  }

  return { ...state, ...(settlement && { words: transferWords(settlement) }), pay }
}
