curl "$BASE_URL/mobile-bff/v1/partner/webhook/ea39a477-9f5e-4b25-9540-bcba72e862bb" \
  --header "authorization: Bearer $ACCESS_TOKEN"
