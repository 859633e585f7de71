/** Remembers which valid requests were accepted, by names such as `createTransfer (example 4)`. */
export function createValidRequests() {
  const wasAccepted = new Map<string, boolean>()
  return {
    /** Remembers whether a valid request was accepted this time. */
    note(request: string, isAccepted: boolean): void {
      const wasAcceptedBefore = wasAccepted.get(request) === true
      wasAccepted.set(request, isAccepted || wasAcceptedBefore)
    },
    /** Lists those that were sent, and never accepted. */
    listRefused(): string[] {
      return [...wasAccepted.keys()].filter((request) => !wasAccepted.get(request))
    },
  }
}

export type ValidRequests = ReturnType<typeof createValidRequests>

/** Which option helps if the service accepts no valid request of an operation. */
const HINTS: Readonly<Record<string, string>> = {
  checkKey: 'a key that the service knows with --set checkKey/dict_key=KEY',
  createTransfer: 'a key that the service knows with --set checkKey/dict_key=KEY',
  createStaticQrCode: 'a key of the partner with --set createStaticQrCode/dict_key=KEY',
  createImmediateQrCode: 'a key of the partner with --set createImmediateQrCode/dict_key=KEY',
  createDueDateQrCode: 'a key of the partner with --set createDueDateQrCode/dict_key=KEY',
  createWebhook: 'a URL that the service accepts with --set createWebhook/url=URL',
  updateWebhook: "the service's word for inactive with --set webhook/status/inactive=WORD",
  impersonate: 'a customer with --set impersonate/user_id=ID --set impersonate/customer_id=ID',
  getUser: 'a user with --set getUser/user_id=ID',
}

/**
 * Writes the end of a sentence that names the option which helps a valid request to be accepted; empty if
 * none is known to help.
 *
 * @param request Such as `createTransfer (example 4)`.
 */
export function describeHelpfulOption(request: string): string {
  const [operation = ''] = request.split(' ', 1)
  const hint = HINTS[operation]
  return hint === undefined ? '' : `: name ${hint}`
}
