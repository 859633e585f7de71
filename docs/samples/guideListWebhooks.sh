curl "$BASE_URL/partners/webhooks" \
  --header "authorization: Bearer $ACCESS_TOKEN"
