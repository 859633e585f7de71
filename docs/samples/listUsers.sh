curl "$BASE_URL/mobile-bff/v1/partner/user" \
  --header "authorization: Bearer $ACCESS_TOKEN"
