curl "$BASE_URL/mobile-bff/v1/partner/webhook/" \
  --header "authorization: Bearer $ACCESS_TOKEN"
