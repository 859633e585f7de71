curl --request POST "$BASE_URL/mobile-bff/v1/auth/partner/token/" \
  --user "$CLIENT_KEY:$CLIENT_SECRET"
