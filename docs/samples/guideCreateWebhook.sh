curl "$BASE_URL/partners/webhooks" \
  --header "authorization: Bearer $ACCESS_TOKEN" \
  --header 'content-type: application/json' \
  --data '{ "url": "https://partner.example.com/pix/events" }'
