curl --fail-with-body \
  --request POST "$BASE_URL/mobile-bff/v1/auth/partner/token/" \
  --user "${CLIENT_KEY:?Run: export CLIENT_KEY=client-key}:${CLIENT_SECRET:?Run: export CLIENT_SECRET=client-secret}"
