curl "$BASE_URL/mobile-bff/v1/partner/user/25fd6010-0b86-417f-96a3-7c5e37646c16" \
  --header "authorization: Bearer $ACCESS_TOKEN"
